import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import type { PlanLine } from '#contract/executive.ts'
import { StatusMark } from '../../parts/StatusMark.tsx'
import { type ShownStatus, shownStatuses } from '../../parts/status.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import type { Column } from '../../ui/data-table.ts'
import { formatComparison, formatKnownLimit, formatKnownUsage, formatLinePrice } from './figures.ts'
import classes from './PlanDetails.module.css'
import type { NamedPlan } from './plans.ts'

interface PlanDetailsProps {
  /** Undefined: closed. */
  plan: NamedPlan | undefined
  onClose: () => void
}

export function PlanDetails({ plan, onClose }: PlanDetailsProps) {
  return (
    <Dialog
      opened={plan !== undefined}
      onClose={onClose}
      title={plan?.plan_name}
      size="min(1120px, 100%)"
      centered
      closeButtonProps={{ 'aria-label': 'Close details' }}
    >
      {plan && (
        <Stack gap="md">
          <dl className={classes.facts}>
            <div>
              <dt>{plan.virtual_plan_id === null ? 'Usage Limit' : 'Usage Limit of the pool'}</dt>
              <dd>{formatKnownLimit(plan.usage_limit)}</dd>
            </div>
            <div>
              <dt>Price</dt>
              <dd>{formatLinePrice(plan.price_usd)}</dd>
            </div>
          </dl>
          <DataTable
            label="Service lines of the plan"
            columns={buildColumns(plan)}
            rows={plan.service_lines}
            rowKey={({ service_line }) => service_line}
            empty="This plan has no service lines."
            rowHeightPx={52}
          />
          <Text size="xs" c="var(--quiet)">
            The comparison is with the same days of last month.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}

const isShown = (status: string): status is ShownStatus => (shownStatuses as readonly string[]).includes(status)

function LineName({ line: { service_line, nickname, name } }: { line: PlanLine }) {
  const router = useRouter()
  if (nickname === undefined) return <code className={classes.id}>{service_line}</code>
  const { href } = router.buildLocation({ to: '/terminal/$kitnumber', params: { kitnumber: nickname } })
  return (
    <span className={classes.line}>
      <Anchor href={href} target="_blank" rel="noopener" inherit>
        {name ?? nickname}
      </Anchor>
      <code className={classes.id}>{service_line}</code>
    </span>
  )
}

const buildColumns = ({ usage_limit }: NamedPlan): Column<PlanLine>[] => [
  {
    key: 'line',
    header: 'Service Line',
    widthPx: 220,
    cell: (line) => <LineName line={line} />,
  },
  {
    key: 'kit',
    header: 'Kit Number',
    widthPx: 170,
    cell: (line) => <code className={classes.id}>{line.kit_number ?? '-'}</code>,
  },
  {
    key: 'status',
    header: 'Status',
    widthPx: 110,
    cell: ({ status }) => (status && isShown(status) ? <StatusMark status={status} /> : (status ?? '-')),
  },
  {
    key: 'limit',
    header: 'Usage Limit',
    widthPx: 110,
    align: 'right',
    cell: (line) => formatKnownLimit(line.usage_limit === undefined ? usage_limit : line.usage_limit),
  },
  { key: 'used', header: 'Used', widthPx: 140, align: 'right', cell: (line) => formatKnownUsage(line.total_usage) },
  {
    key: 'before',
    header: 'Last Month',
    widthPx: 140,
    align: 'right',
    cell: (line) => formatKnownUsage(line.last_month_usage),
  },
  { key: 'comparison', header: 'Comparison', widthPx: 120, cell: formatComparison },
]
