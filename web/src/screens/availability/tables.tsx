import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { GroupAvailability, TerminalAvailability } from '#contract/availability.ts'
import { formatCount, formatTarget } from '#contract/format/numbers.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/data-table.ts'
import classes from './AvailabilityPage.module.css'
import { formatAvailability, formatSeconds } from './figures.tsx'
import { OpenLink } from './OpenLink.tsx'
import { TargetDialog } from './TargetDialog.tsx'

type Row = Omit<GroupAvailability, 'group' | 'terminals'>

const right = { align: 'right' as const }

const percentColumn = <Each extends Row>(): Column<Each> => ({
  key: 'percent',
  header: 'Availability',
  widthPx: 108,
  ...right,
  cell: ({ percent, isBreached }) => (
    <span className={isBreached ? classes.breach : undefined}>{formatAvailability(percent)}</span>
  ),
})

const figureColumns = <Each extends Row>(): Column<Each>[] => [
  {
    key: 'target',
    header: 'Target',
    widthPx: 138,
    ...right,
    cell: ({ target, isBreached }) =>
      target === null ? (
        '-'
      ) : (
        <>
          {formatTarget(target)}
          {isBreached && <span className={classes.breach}> missed</span>}
        </>
      ),
  },
  // As wide as a year of 100,000 terminals.
  { key: 'up', header: 'Up', widthPx: 118, ...right, cell: ({ upS }) => formatSeconds(upS) },
  { key: 'down', header: 'Down', widthPx: 106, ...right, cell: ({ downS }) => formatSeconds(downS) },
  { key: 'planned', header: 'Planned', widthPx: 106, ...right, cell: ({ plannedS }) => formatSeconds(plannedS) },
  {
    key: 'not observed',
    header: 'Not observed',
    widthPx: 120,
    ...right,
    cell: ({ notObservedS }) => formatSeconds(notObservedS),
  },
  { key: 'outages', header: 'Outages', widthPx: 86, ...right, cell: ({ outages }) => formatCount(outages) },
  {
    key: 'longest',
    header: 'Longest',
    widthPx: 106,
    ...right,
    cell: ({ outages, longestS }) => (outages === 0 ? '-' : formatSeconds(longestS)),
  },
  {
    key: 'repair',
    header: 'MTTR',
    widthPx: 106,
    ...right,
    cell: ({ meanRepairS }) => formatSeconds(meanRepairS),
  },
  {
    key: 'between',
    header: 'MTBF',
    widthPx: 106,
    ...right,
    cell: ({ meanBetweenS }) => formatSeconds(meanBetweenS),
  },
]

interface GroupTableProps {
  groups: readonly GroupAvailability[]
  isAdmin: boolean
  onOpen: (group: string) => void
}

export function GroupTable({ groups, isAdmin, onOpen }: GroupTableProps) {
  const [chosen, setChosen] = useState<GroupAvailability>()
  const targetColumn: Column<GroupAvailability> = {
    key: 'actions',
    header: 'Actions',
    widthPx: 110,
    cell: (group) => (
      <Button size="compact-sm" variant="default" onClick={() => setChosen(group)}>
        Set target
      </Button>
    ),
  }
  const columns: Column<GroupAvailability>[] = [
    {
      key: 'group',
      header: 'GroupID',
      widthPx: 98,
      cell: ({ group }) => <OpenLink name={group} onOpen={() => onOpen(group)} />,
    },
    ...(isAdmin ? [targetColumn] : []),
    percentColumn(),
    ...figureColumns<GroupAvailability>(),
    { key: 'terminals', header: 'Terminals', widthPx: 98, ...right, cell: ({ terminals }) => formatCount(terminals) },
  ]
  return (
    <div>
      <Text component="h2" size="lg" fw={600} mb={8}>
        Groups
      </Text>
      <DataTable
        label="Groups"
        columns={columns}
        rows={groups}
        rowKey={({ group }) => group}
        empty="There are no terminals."
      />
      {chosen && <TargetDialog group={chosen.group} target={chosen.target} onClose={() => setChosen(undefined)} />}
    </div>
  )
}

interface TerminalTableProps {
  terminals: readonly TerminalAvailability[]
  isCut: boolean
  onOpen: (nickname: string) => void
}

export function TerminalTable({ terminals, isCut, onOpen }: TerminalTableProps) {
  const columns: Column<TerminalAvailability>[] = [
    {
      key: 'name',
      header: 'Terminal',
      widthPx: 220,
      cell: ({ name, nickname }) => <OpenLink name={name} onOpen={() => onOpen(nickname)} />,
    },
    percentColumn(),
    ...figureColumns<TerminalAvailability>(),
    { key: 'group', header: 'GroupID', widthPx: 100, cell: ({ group }) => group },
    { key: 'kit', header: 'Kit', widthPx: 150, cell: ({ kit }) => kit ?? '-' },
  ]
  return (
    <div>
      <Text component="h2" size="lg" fw={600} mb={8}>
        Terminals, the least available first
      </Text>
      <DataTable
        label="Terminals"
        columns={columns}
        rows={terminals}
        rowKey={({ nickname, kit }) => `${nickname} ${kit}`}
        empty="There are no terminals."
      />
      {isCut && <Text c="var(--quiet)">The file has all of them.</Text>}
    </div>
  )
}
