import { notFound } from '#contract/errors.ts'
import { mapMeasures, measures } from '#contract/measures.ts'
import { addDays, type Day, toDay } from '../plans/days.ts'
import type { Context } from '../platform/context.ts'
import { notYours, selectLineByName } from '../service-lines/get-line.ts'
import { type PastState, readPastState } from '../time-travel/past-fleet.ts'
import { findLineFacts, type LineFacts, type ReceiptFacts, type TerminalFacts } from './facts.ts'

/** Commands before the time, in their state at that time. */
const maskReceipt = (receipt: ReceiptFacts, at: Date): ReceiptFacts[] => {
  const isBy = (time: string | null) => time !== null && new Date(time) <= at
  if (!isBy(receipt.requested_at)) return []
  if (isBy(receipt.settled_at)) return [receipt]
  const isAccepted = isBy(receipt.accepted_at)
  return [
    {
      ...receipt,
      state: isAccepted ? 'accepted' : 'asked',
      accepted_at: isAccepted ? receipt.accepted_at : null,
      settled_at: null,
      problem: null,
    },
  ]
}

const toTerminalFacts = ({ rows, terminals, reports }: PastState): TerminalFacts[] =>
  terminals.flatMap(({ id, credential_id, device_id }) => {
    const row = rows.find((each) => each.device_id === device_id)
    if (!row) return []
    const report = reports.get(id)
    const at = row.at?.toISOString() ?? null
    return [
      {
        id,
        credential_id,
        device_id,
        kit_serial: row.kit_serial,
        status: row.status,
        at,
        alerts: row.alerts,
        ...mapMeasures((_, index) => row[(measures[index] as (typeof measures)[number]).sampleColumn]),
        // It is recorded only with the report.
        uptime_s: report && row.at?.getTime() === report.at.getTime() ? (report.values?.uptime_s ?? null) : null,
        h3_cell: row.h3_cell,
        ipv4: row.ipv4,
        ipv6_ue: row.ipv6_ue,
        ipv6_cpe: row.ipv6_cpe,
        snow_melt_mode: null,
        routers: [],
      },
    ]
  })

interface PastLineFacts {
  facts: LineFacts
  past: PastState['past']
  /** The vendor's last complete day, whose usage was known. */
  lastDay: Day
}

/** A line as it was. Access to it, and its lookup by name, use the present. */
export const readPastLine = async (context: Context, key: string, at: Date): Promise<PastLineFacts> => {
  const { tenantId, read, services, scope, unguarded } = context
  const [line] = await read<{ id: number }>({
    name: 'past-line',
    text: `select line.id from (${selectLineByName()}) as line`,
    values: [tenantId, key],
  })
  if (!line) throw notYours()
  const lastDay = addDays(toDay(at), -1)
  const [state, present] = await Promise.all([
    readPastState(unguarded, { tenantId, at, lineIds: [line.id] }, services.now()),
    findLineFacts(read, { tenantId, key, yearStart: `${lastDay.slice(0, 4)}-01-01`, today: lastDay }),
  ])
  const [row] = state.rows
  const facts = state.lines[0]?.facts
  if (!row || !present) throw notFound('Nothing is known of this terminal at that time.')
  const usage = state.details?.usage.get(line.id)
  const seesPool = row.pool_name !== null && (scope.group === undefined || row.pool_group !== null)
  return {
    past: state.past,
    lastDay,
    facts: {
      ...row,
      public_ip: facts?.public_ip ?? false,
      terminals: toTerminalFacts(state),
      track: row.is_mobile ? [] : null,
      pool: seesPool
        ? { name: row.pool_name as string, lines: 0, used_gb: row.pool_used_gb ?? 0, limit_gb: row.pool_limit_gb ?? 0 }
        : null,
      cycle: usage
        ? {
            start: usage.cycle_start,
            end: usage.cycle_end,
            data_blocks: usage.data_blocks,
            priority_gb: usage.priority_gb,
            usage_limit_gb: usage.usage_limit_gb,
            standard_gb: usage.standard_gb,
          }
        : null,
      first_day: present.first_day,
      days: present.days,
      receipts: present.receipts.flatMap((receipt) => maskReceipt(receipt, at)),
    },
  }
}
