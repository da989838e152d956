import { Tabs, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { formatDay, formatMonth } from '#contract/format/times.ts'
import type { DailyUsage } from '#contract/terminal-detail.ts'
import classes from './DataUsage.module.css'
import page from './TerminalPage.module.css'
import {
  chooseShownMonth,
  dayCount,
  filterDays,
  findCycleEdge,
  formatKnownGb,
  monthTabs,
  sumGb,
  toMonth,
} from './usage.ts'

const route = getRouteApi('/terminal/$kitnumber')

type Cycle = { start: string; end: string }

/** A bar per day of the vendor. Tabs lead to the previous and the next month. */
export function DailyUsageChart({ usage, cycle }: { usage: readonly DailyUsage[]; cycle: Cycle | undefined }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const present = toMonth(new Date())
  const month = chooseShownMonth(search.month, present)
  const choose = (next: string | null) =>
    navigate({
      search: (before) => ({ ...before, month: next === null || next === present ? undefined : next }),
      replace: true,
      resetScroll: false,
    })
  const days = filterDays(usage, month)
  return (
    <section className={page.stack} aria-label="Daily Usage">
      <Title order={3} className={page.partTitle}>
        Daily Usage <small>days in UTC</small>
      </Title>
      <Tabs value={month} onChange={choose} keepMounted={false} activateTabWithKeyboard={false}>
        <Tabs.List aria-label="Month">
          {monthTabs(month, present).map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {formatMonth(tab)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={month} className={classes.panel}>
          <p className={classes.total}>
            Total consumption <strong>{formatKnownGb(days.length > 0 ? sumGb(days) : null)}</strong>
          </p>
          {days.length > 0 ? <Bars days={days} month={month} cycle={cycle} /> : <p>No usage data available.</p>}
          <ul className={classes.legend}>
            <li data-kind="priority">Priority data</li>
            <li data-kind="standard">Standard data, unlimited</li>
            {cycle && (
              <li data-kind="cycle">
                Billing cycle {formatDay(cycle.start)} to {formatDay(cycle.end)}
              </li>
            )}
          </ul>
        </Tabs.Panel>
      </Tabs>
    </section>
  )
}

function Bars({ days, month, cycle }: { days: readonly DailyUsage[]; month: string; cycle: Cycle | undefined }) {
  const known = new Map(days.map((day) => [day.date, day]))
  const highest = Math.max(...days.map((day) => sumGb([day])), Number.MIN_VALUE)
  const share = (gb: number) => `${(gb / highest) * 100}%`
  return (
    <>
      <p className={classes.scale} aria-hidden="true">
        {formatKnownGb(highest)}
      </p>
      <ol className={classes.bars}>
        {Array.from({ length: dayCount(month) }, (_, index) => {
          const date = `${month}-${String(index + 1).padStart(2, '0')}`
          const day = known.get(date)
          const text = day
            ? `${date}: priority ${formatKnownGb(day.priorityGB)}, standard ${formatKnownGb(day.standardGB)}`
            : `${date}: no data`
          return (
            <li
              key={date}
              title={text}
              data-mark={(index + 1) % 5 === 0 || index === 0 ? index + 1 : undefined}
              data-cycle={findCycleEdge(date, cycle)}
            >
              <span className="visually-hidden">{text}</span>
              {day && (
                <>
                  <span data-kind="standard" style={{ height: share(day.standardGB) }} />
                  <span data-kind="priority" style={{ height: share(day.priorityGB) }} />
                </>
              )}
            </li>
          )
        })}
      </ol>
    </>
  )
}
