import type { WarningCause } from '#contract/incident-cause.ts'
import type { Database } from '../platform/database/database.ts'
import { advanceEventClock } from '../platform/database/event-clock.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { HISTORY_SUBJECT, type Queue } from '../platform/worker/queues.ts'
import { getTenantSettings } from '../tenants/tenant-settings.ts'
import { findBorder } from './borders.ts'
import { advanceFigures, type StoredFigures } from './figures.ts'
import { AWAY_FROM_BORDER, type DailyFigures, findWarnings, type WarningLimits } from './find-warnings.ts'
import { listDueTerminals, readDays, readUsage, type TerminalRow, writeFigures } from './read-figures.ts'
import { endWarningsOfRemoved, listWarnings, storeWarnings } from './store-warnings.ts'

interface Options {
  database: Database
  now: () => Date
}

const DAY_MS = 86_400_000
/** By this time after midnight UTC the tiers of the previous day are complete, even with late data. */
const BEGINS_AFTER_MS = 5 * 3_600_000
const SPREAD_MS = 3_600_000
const TERMINALS_AT_ONCE = 1_000

const getLastDay = (now: Date) => Math.floor((now.getTime() - BEGINS_AFTER_MS) / DAY_MS) - 1

/** Jittered within the hour, so that a thousand tenants do not run at once. */
const findNextRun = (now: Date) =>
  new Date((getLastDay(now) + 2) * DAY_MS + BEGINS_AFTER_MS + Math.random() * SPREAD_MS)

const toDaily = (
  stored: StoredFigures,
  { countries, distance_km, position }: TerminalRow,
  usageGb: readonly (number | null)[],
  { borderKm }: WarningLimits,
): DailyFigures => ({
  ...stored,
  usageGb,
  distanceKm: distance_km,
  border: position && borderKm > 0 ? findBorder(position, borderKm * AWAY_FROM_BORDER) : null,
  abroad:
    stored.abroadSince === null || countries === null ? null : { countries, days: stored.day - stored.abroadSince + 1 },
})

/** Evaluates a batch of terminals at the end of the last day. Returns whether there may be more. */
export const judgeDay = (database: Database, tenantId: string, now: Date) =>
  database.transaction({ tenantId }, async (db) => {
    const day = getLastDay(now)
    const terminals = await listDueTerminals(db, tenantId, day, TERMINALS_AT_ONCE)
    await endWarningsOfRemoved(db, tenantId, now)
    if (terminals.length === 0) return false
    const days = await readDays(db, tenantId, terminals, day)
    const usage = await readUsage(db, tenantId, [...new Set(terminals.map(({ line_id }) => line_id))], day)
    const stored = await listWarnings(
      db,
      tenantId,
      terminals.map(({ id }) => id),
      now,
    )
    const limits = await getTenantSettings(db, tenantId)
    const judged = terminals.map((terminal) => {
      const { id, known, restart_count, countries } = terminal
      const present = { restartCount: restart_count, isAbroad: countries !== null && countries[0] !== countries[1] }
      const figures = advanceFigures(known, days.get(id) ?? [], present, day)
      const warnings = stored.get(id) ?? []
      const open = warnings.filter(({ is_open }) => is_open)
      return {
        terminalId: id,
        figures,
        known: warnings,
        warnings: findWarnings(
          toDaily(figures, terminal, usage.get(terminal.line_id) ?? [], limits),
          new Map(open.map((each) => [each.cause satisfies WarningCause, each.figures])),
          limits,
        ),
      }
    })
    await writeFigures(db, tenantId, judged)
    const endOfDay = new Date((day + 1) * DAY_MS)
    await storeWarnings(db, tenantId, judged, endOfDay, () => advanceEventClock(db, tenantId))
    return terminals.length === TERMINALS_AT_ONCE
  })

/** The queue that checks once a day for problems that will stop a terminal. */
export const createWarningQueue = ({ database, now }: Options): Queue => ({
  seed: 'tenants',
  concurrency: 1,
  retry: { firstMs: 30_000, longestMs: 3_600_000 },
  run: async ({ tenantId, subject }) => {
    if (subject === HISTORY_SUBJECT) {
      await database.transaction({ tenantId }, async (db) => {
        await db.deleteFrom('terminal_figures').where('tenant_id', '=', tenantId).execute()
        await enqueue(db, 'warnings', tenantId)
      })
      return undefined
    }
    const hasMore = await judgeDay(database, tenantId, now())
    return hasMore ? now() : findNextRun(now())
  },
})
