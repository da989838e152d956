import { Anchor, Paper, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { commands, type OptIn } from '#contract/commands.ts'
import { formatBlockType } from '#contract/data-block.ts'
import type { Forecast } from '#contract/forecast.ts'
import { formatBand } from '#contract/forecast-words.ts'
import { formatCounted, formatPercent } from '#contract/format/numbers.ts'
import { formatDay } from '#contract/format/times.ts'
import { plans } from '#contract/plans.ts'
import type { TerminalDetail } from '#contract/terminal-detail.ts'
import { call } from '../../api.ts'
import { ForecastBand } from '../../parts/forecast/ForecastBand.tsx'
import { ForecastMark } from '../../parts/forecast/ForecastMark.tsx'
import { CommandSelect } from './CommandSelect.tsx'
import { isUnrecorded, useControlDenied } from './control.ts'
import { DailyUsageChart } from './DailyUsageChart.tsx'
import classes from './DataUsage.module.css'
import { useDetailChange, withLine } from './detail.ts'
import { findReceipt } from './receipts.ts'
import page from './TerminalPage.module.css'
import { computePercentConsumed, formatKnownGb, getLineUsage, getPoolUsage, type UsageAgainstLimit } from './usage.ts'

const findCycle = ({ monthlyUsage }: TerminalDetail) =>
  monthlyUsage?.end_date ? { start: monthlyUsage.start_date, end: monthlyUsage.end_date } : undefined

const choices: readonly OptIn[] = ['opt in', 'opt out']

export function DataUsage({ detail, kitnumber }: { detail: TerminalDetail; kitnumber: string }) {
  return (
    <Paper component="section" withBorder radius={12} p="md" aria-labelledby="data-usage">
      <Title order={2} id="data-usage">
        Data Usage
      </Title>
      <div className={classes.columns}>
        <div className={page.stack}>
          <Usage detail={detail} />
          {!isUnrecorded(detail) && <TopUp detail={detail} kitnumber={kitnumber} />}
        </div>
        <DailyUsageChart usage={detail.dailyUsage} cycle={findCycle(detail)} />
      </div>
    </Paper>
  )
}

/** The line's own usage, and below it that of its pool. Each has its own forecast. */
function Usage({ detail }: { detail: TerminalDetail }) {
  const { nickname } = detail.service_line_data
  // There are no forecasts for the past.
  const { data: outlook } = useQuery({
    enabled: detail.past === undefined,
    queryKey: ['line outlook', nickname],
    queryFn: ({ signal }) => call(plans.lineOutlook, { nickname }, signal),
    staleTime: 5 * 60_000,
  })
  const { monthlyUsage, virtualPlanInfo } = detail
  const own = getLineUsage(detail)
  const pool = getPoolUsage(detail)
  if (!own && !pool) return <p className={classes.note}>No usage data available.</p>
  return (
    <>
      {own && monthlyUsage && (
        <section className={page.stack} aria-label="Monthly Usage">
          <Title order={3} className={page.partTitle}>
            Monthly Usage <small>since {formatDay(monthlyUsage.start_date)} (UTC)</small>
          </Title>
          <UsageBar name="Monthly Usage" usage={own} />
          {outlook && !detail.past && <Outlook forecast={outlook.forecast} usage={own} />}
          <p className={classes.note}>Unused data expires at the end of your billing cycle</p>
          <Blocks usage={monthlyUsage} />
        </section>
      )}
      {pool && virtualPlanInfo && (
        <section className={page.stack} aria-label="Pool Usage">
          <Title order={3} className={page.partTitle}>
            Pool Usage <small className={classes.poolName}>{describePool(virtualPlanInfo)}</small>
          </Title>
          <UsageBar name="Pool Usage" usage={pool} />
          {outlook?.pool_forecast && !detail.past && <Outlook forecast={outlook.pool_forecast} usage={pool} />}
        </section>
      )}
    </>
  )
}

function Outlook({ forecast, usage }: { forecast: Forecast; usage: UsageAgainstLimit }) {
  return (
    <>
      <ForecastBand forecast={forecast} limitGb={usage.limitGb ?? 0} usedGb={usage.usedGb ?? 0} />
      <ForecastMark forecast={forecast} />
      {forecast.known && <p className={classes.note}>{formatBand(forecast)}</p>}
    </>
  )
}

const describePool = ({ name, lines }: NonNullable<TerminalDetail['virtualPlanInfo']>) =>
  [name, lines && formatCounted(lines, 'line')].filter(Boolean).join(', ')

function UsageBar({ name, usage }: { name: string; usage: UsageAgainstLimit }) {
  const percent = computePercentConsumed(usage)
  const isOver = percent !== null && percent >= 100
  const text = percent === null ? 'N/A' : formatPercent(percent, 2)
  return (
    <>
      <p className={classes.figure} data-over={isOver || undefined}>
        <strong>{formatKnownGb(usage.usedGb)}</strong> of {formatKnownGb(usage.limitGb)} <span>{text}</span>
      </p>
      <div
        className={classes.bar}
        data-over={isOver || undefined}
        role="progressbar"
        aria-label={name}
        aria-valuenow={percent === null ? undefined : Math.min(100, Math.round(percent))}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={text}
      >
        <div style={{ width: `${Math.min(100, percent ?? 0)}%` }} />
      </div>
    </>
  )
}

function Blocks({ usage }: { usage: NonNullable<TerminalDetail['monthlyUsage']> }) {
  return (
    <dl className={classes.blocks}>
      {usage.data_blocks.map((block, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no name of their own and keep their order
        <div key={place}>
          <dt>{formatBlockType(block)}</dt>
          <dd>
            {formatKnownGb(block.consumedAmountGB)} of {formatKnownGb(block.totalAmountGB)}
          </dd>
        </div>
      ))}
      <div>
        <dt>Standard data, unlimited</dt>
        <dd>{formatKnownGb(usage.standard_GB)}</dd>
      </div>
    </dl>
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
