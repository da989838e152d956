import { Anchor, Paper, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { commands, type OptIn } from '#contract/commands.ts'
import type { TerminalDetail } from '#contract/terminal-detail.ts'
import { call } from '../../api.ts'
import { LineForecast } from '../../parts/forecast/LineForecast.tsx'
import { CommandSelect } from './CommandSelect.tsx'
import { useControlDenied } from './control.ts'
import { DailyUsageChart } from './DailyUsageChart.tsx'
import classes from './DataUsage.module.css'
import { useDetailChange, withLine } from './detail.ts'
import { findReceipt } from './receipts.ts'
import page from './TerminalPage.module.css'
import { blockLabel, gbText, getUsage, percentConsumed } from './usage.ts'

const choices: readonly OptIn[] = ['opt in', 'opt out']

export function DataUsage({ detail, kitnumber }: { detail: TerminalDetail; kitnumber: string }) {
  return (
    <Paper component="section" withBorder radius={12} p="md" aria-labelledby="data-usage">
      <Title order={2} id="data-usage">
        Data Usage
      </Title>
      <div className={classes.columns}>
        <div className={page.stack}>
          <MonthlyUsage detail={detail} />
          <TopUp detail={detail} kitnumber={kitnumber} />
        </div>
        <DailyUsageChart usage={detail.dailyUsage} />
      </div>
    </Paper>
  )
}

function MonthlyUsage({ detail }: { detail: TerminalDetail }) {
  const usage = getUsage(detail)
  const { monthlyUsage } = detail
  if (!usage) return <p className={classes.note}>No usage data available.</p>
  const percent = percentConsumed(usage)
  const name = usage.isPool ? 'Pool Usage' : 'Monthly Usage'
  return (
    <section className={page.stack} aria-label={name}>
      <Title order={3} className={page.partTitle}>
        {name}
        {monthlyUsage && <small> since {monthlyUsage.start_date} (UTC)</small>}
      </Title>
      <p className={classes.figure}>
        <strong>{gbText(usage.usedGb)}</strong> of {gbText(usage.limitGb)} <span>{percent.toFixed(2)}%</span>
      </p>
      <div
        className={classes.bar}
        role="progressbar"
        aria-label={name}
        aria-valuenow={Math.min(100, Math.round(percent))}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={`${percent.toFixed(2)}%`}
      >
        <div style={{ width: `${Math.min(100, percent)}%` }} />
      </div>
      <p className={classes.note}>Unused data expires at the end of your billing cycle</p>
      <LineForecast nickname={detail.service_line_data.nickname} />
      {monthlyUsage && (
        <dl className={classes.blocks}>
          {monthlyUsage.data_blocks.map((block, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no name of their own and keep their order
            <div key={place}>
              <dt>{blockLabel(block)}</dt>
              <dd>
                {gbText(block.consumedAmountGB)} of {gbText(block.totalAmountGB)}
              </dd>
            </div>
          ))}
          <div>
            <dt>Standard data, unlimited</dt>
            <dd>{gbText(monthlyUsage.standard_GB)}</dd>
          </div>
        </dl>
      )}
    </section>
  )
}

function TopUp({ detail, kitnumber }: { detail: TerminalDetail; kitnumber: string }) {
  const { nickname, serviceLine, opt_in_product_id } = detail.service_line_data
  const change = useDetailChange(
    kitnumber,
    (opt_in: OptIn) => call(commands.setOptIn, { nickname, opt_in, sl: serviceLine }),
    (before, { opt_in }) =>
      withLine(before, { opt_in_product_id: opt_in === 'opt in' ? (opt_in_product_id ?? opt_in) : null }),
  )
  return (
    <section className={page.stack} aria-label="Data Top Up">
      <Title order={3} className={page.partTitle}>
        Data Top Up
      </Title>
      <CommandSelect
        label="Automatic Top Up"
        value={opt_in_product_id ? 'opt in' : 'opt out'}
        choices={choices}
        isUpdating={change.isPending}
        denied={useControlDenied()}
        receipt={findReceipt(detail.receipts, 'opt_in', null)}
        onChoose={(choice) => change.mutate(choice)}
      />
      <p className={classes.note}>
        <Anchor component={Link} to="/support" inherit underline="always">
          Contact Support
        </Anchor>{' '}
        to purchase more full speed data.
      </p>
    </section>
  )
}
