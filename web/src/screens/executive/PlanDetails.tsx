import { Button, Group, Modal, Stack } from '@mantine/core'
import type { PlanLine } from '#contract/executive.ts'
import { StatusMark } from '../../parts/StatusMark.tsx'
import { type ShownStatus, shownStatuses } from '../../parts/status.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/data-table.ts'
import { comparisonText, limitText, priceText, usageText } from './figures.ts'
import classes from './PlanDetails.module.css'
import type { NamedPlan } from './plans.ts'

interface PlanDetailsProps {
  /** Undefined: closed. */
  plan: NamedPlan | undefined
  onClose: () => void
}

export function PlanDetails({ plan, onClose }: PlanDetailsProps) {
  return (
    <Modal
      opened={plan !== undefined}
      onClose={onClose}
      title={plan?.plan_name}
      size="min(1000px, 100%)"
      centered
      closeButtonProps={{ 'aria-label': 'Close details' }}
    >
      {plan && (
        <Stack gap="md">
          <dl className={classes.facts}>
            <div>
              <dt>Usage Limit</dt>
              <dd>{limitText(plan.usage_limit)}</dd>
            </div>
            <div>
              <dt>Price</dt>
              <dd>{priceText(plan.price_usd)}</dd>
            </div>
          </dl>
          <DataTable
            label="Service lines of the plan"
            columns={buildColumns(plan)}
            rows={plan.service_lines}
            rowKey={({ service_line }) => service_line}
            empty="This plan has no service lines."
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}

const isShown = (status: string): status is ShownStatus => (shownStatuses as readonly string[]).includes(status)

const buildColumns = ({ usage_limit }: NamedPlan): Column<PlanLine>[] => [
  {
    key: 'line',
    header: 'Service Line',
    widthPx: 190,
    cell: (line) => <code className={classes.id}>{line.service_line}</code>,
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
  { key: 'limit', header: 'Usage Limit', widthPx: 110, align: 'right', cell: () => limitText(usage_limit) },
  { key: 'used', header: 'Used', widthPx: 110, align: 'right', cell: (line) => usageText(line.total_usage) },
  {
    key: 'before',
    header: 'Last Month',
    widthPx: 110,
    align: 'right',
    cell: (line) => usageText(line.last_month_usage),
  },
  { key: 'comparison', header: 'Comparison', widthPx: 110, cell: comparisonText },
]
