import { setImmediate as letOthersRun } from 'node:timers/promises'
import {
  type availability,
  type GroupAvailability,
  isMostlyObserved,
  type TerminalAvailability,
} from '#contract/availability.ts'
import { sortNaturally } from '#contract/format/natural-order.ts'
import type { RouteInput } from '#contract/route.ts'
import type { Span } from '../maintenance/occurrences.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { findSpan } from './find-span.ts'
import { addMeasured, countObserved, getPercent, type Measured, measure, toFigures } from './measure.ts'
import { readHistories, type TerminalRow } from './read-histories.ts'

const MAX_LISTED = 200
/** This many terminals take a few milliseconds. */
const AT_ONCE = 200

const listTargets = async (db: Db, tenantId: string) => {
  const rows = await db
    .selectFrom('availability_targets')
    .select(['group_name', 'percent'])
    .where('tenant_id', '=', tenantId)
    .execute()
  return new Map(rows.map(({ group_name, percent }) => [group_name, percent]))
}

interface MeasuredTerminal {
  terminal: TerminalRow
  measured: Measured
}

const compareToTarget = (measured: Measured, target: number | undefined) => {
  const percent = getPercent(measured)
  return { target: target ?? null, isBreached: target !== undefined && percent !== null && percent < target }
}

/** The figures of every terminal visible to the transaction, optionally of one group. */
export const measureTerminals = async (db: Db, tenantId: string, within: Span, group?: string) => {
  const { histories } = await readHistories(db, tenantId, within, { group })
  const targets = await listTargets(db, tenantId)
  const periodMs = within.toMs - within.fromMs
  const terminals: MeasuredTerminal[] = []
  let observedMs = 0
  for (const [index, { terminal, readHistory }] of histories.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await letOthersRun()
    const history = readHistory()
    terminals.push({ terminal, measured: measure(history, periodMs) })
    observedMs += countObserved(history, within)
  }
  const wholeMs = terminals.length * periodMs
  const observedPercent = wholeMs === 0 ? null : (100 * observedMs) / wholeMs
  const toRow = ({ terminal, measured }: MeasuredTerminal): TerminalAvailability => ({
    nickname: terminal.nickname,
    name: terminal.name,
    kit: terminal.kit,
    group: terminal.group_name,
    ...compareToTarget(measured, targets.get(terminal.group_name)),
    ...toFigures(measured),
  })
  return { terminals, targets, toRow, observedPercent }
}

type Filter = RouteInput<typeof availability.summary>

/** The figures of every terminal that the user may see in a period, optionally of one group. */
export const measureFleet = async (db: Db, ctx: Context, { group, ...wanted }: Filter) => {
  const { within, shown } = await findSpan(db, ctx, wanted)
  return { shown, ...(await measureTerminals(db, ctx.tenantId, within, group)) }
}

/** The availability in a period, for a figure that has no figure of the time not observed beside it. */
export const measurePeriod = async (db: Db, ctx: Context, wanted: Filter) => {
  const { terminals, observedPercent } = await measureFleet(db, ctx, wanted)
  const percent = getPercent(addMeasured(terminals.map(({ measured }) => measured)))
  return { percent: isMostlyObserved(observedPercent) ? percent : null, observedPercent }
}

export const toGroup = (group: string, terminals: readonly MeasuredTerminal[], target?: number): GroupAvailability => {
  const measured = addMeasured(terminals.map((each) => each.measured))
  return { group, terminals: terminals.length, ...compareToTarget(measured, target), ...toFigures(measured) }
}

/** Least available first; terminals without figures come last. */
export const compareMeasured = (one: { measured: Measured }, other: { measured: Measured }) => {
  const [first, second] = [one, other].map(({ measured }) => getPercent(measured) ?? Number.POSITIVE_INFINITY)
  return (first as number) - (second as number) || 0
}

export const summarize = (ctx: Context, filter: Filter) =>
  ctx.transaction(async (db) => {
    const { shown, terminals, targets, toRow, observedPercent } = await measureFleet(db, ctx, filter)
    const groups = [...Map.groupBy(terminals, ({ terminal }) => terminal.group_name)]
    return {
      ...shown,
      observedPercent,
      total: toFigures(addMeasured(terminals.map(({ measured }) => measured))),
      groups: sortNaturally(groups, ([group]) => group).map(([group, own]) => toGroup(group, own, targets.get(group))),
      terminalCount: terminals.length,
      terminals: terminals.toSorted(compareMeasured).slice(0, MAX_LISTED).map(toRow),
    }
  })
