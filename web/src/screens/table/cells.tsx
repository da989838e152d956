import { useRouter } from '@tanstack/react-router'
import type { MetadataField } from '#contract/service-lines.ts'
import type { TerminalDetailsItem } from '#contract/terminals.ts'
import { computePercentConsumed } from '../../parts/fleet/measures.ts'
import { StatusMark } from '../../parts/StatusMark.tsx'
import { shownStatus } from '../../parts/status.ts'
import type { Column } from '../../ui/data-table.ts'
import type { FleetColumn } from './columns.ts'
import { MetadataCell } from './MetadataCell.tsx'
import classes from './TerminalTablePage.module.css'
import type { useMetadataEdit } from './use-metadata-edit.ts'
import type { Selection } from './use-selection.ts'

const isMetadata = (key: string): key is MetadataField => /^metadata[123]$/.test(key)

/** The columns for DataTable. Without `editing`, metadata is read-only. */
export const buildTableColumns = (
  columns: readonly FleetColumn[],
  editing: ReturnType<typeof useMetadataEdit> | undefined,
  selection: Selection,
): Column<TerminalDetailsItem>[] =>
  columns.map(({ key, header, widthPx, align, value, text }) => ({
    key,
    header,
    widthPx,
    ...(align && { align }),
    sortValue: value,
    ...(key === 'name' && { rowName: text }),
    cell: (row) => {
      if (key === 'name')
        return (
          <span className={classes.first}>
            <SelectBox id={row.id} name={text(row)} selection={selection} />
            <NameLink row={row} text={text(row)} />
          </span>
        )
      if (key === 'status') return <StatusMark status={shownStatus(row)} />
      if (key === 'percent')
        return (
          <PercentBar
            percent={computePercentConsumed(row)}
            text={text(row)}
            of={row.pool_usage_limit === null ? 'line' : 'pool'}
          />
        )
      if (isMetadata(key) && editing) return <MetadataCell row={row} field={key} label={header} editing={editing} />
      if (key === 'kit' || key === 'line' || key === 'ipv4' || key === 'ipv6')
        return (
          <span className={classes.code} title={text(row)}>
            {text(row)}
          </span>
        )
      return text(row)
    },
  }))

/** Shift selects all rows from the last toggled one. */
const SelectBox = ({ id, name, selection }: { id: string; name: string; selection: Selection }) => (
  // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: a click beside the box must not open the row
  <span className={classes.select} onClick={(event) => event.stopPropagation()}>
    <input
      type="checkbox"
      aria-label={`Select ${name}`}
      checked={selection.ids.has(id)}
      onChange={() => undefined}
      onClick={({ shiftKey }) => selection.toggle(id, shiftKey)}
    />
  </span>
)

function NameLink({ row, text }: { row: TerminalDetailsItem; text: string }) {
  const router = useRouter()
  const { href } = router.buildLocation({ to: '/terminal/$kitnumber', params: { kitnumber: row.nickname } })
  return (
    // A click on the row opens the terminal too, so without this it would open twice.
    <a
      href={href}
      target="_blank"
      rel="noopener"
      className={classes.name}
      title={text}
      onClick={(event) => event.stopPropagation()}
    >
      {text}
    </a>
  )
}

interface PercentBarProps {
  /** Null if unknown. */
  percent: number | null
  text: string
  /** The owner of the limit. */
  of: 'line' | 'pool'
}

const PercentBar = ({ percent, text, of }: PercentBarProps) => (
  <span className={classes.percent} title={`Of the limit of the ${of}`}>
    <small>of {of}</small>
    <span className={classes.bar} aria-hidden="true">
      <span style={{ width: `${Math.min(100, percent ?? 0)}%` }} data-full={(percent ?? 0) >= 100 || undefined} />
    </span>
    <span>{text}</span>
  </span>
)
