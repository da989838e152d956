import { sql } from 'kysely'
import { compareNatural } from '#contract/format/natural-order.ts'
import type { MaintenanceWindow, maintenance } from '#contract/maintenance.ts'
import type { RouteInput } from '#contract/route.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { getTimeZone } from '../platform/database/time-zone.ts'
import { findOccurrence, findShownOccurrence } from './occurrences.ts'
import { type PlannedTimes, readPlannedTimes } from './planned-times.ts'
import type { StoredWindow } from './window-rows.ts'

const SHOWN_FOR_MS = 400 * 86_400_000
const MAX_PAST = 200

const order = { running: 0, upcoming: 1, past: 2 }

const compareWindows = (one: MaintenanceWindow, other: MaintenanceWindow) => {
  const [oneMs, otherMs] = [one, other].map(({ from }) => from?.getTime() ?? 0) as [number, number]
  const byTime = one.state === 'past' ? otherMs - oneMs : oneMs - otherMs
  return order[one.state] - order[other.state] || byTime || compareNatural(one.name, other.name)
}

interface LineName {
  nickname: string
  name: string
}

const listLineNames = async (db: Db, tenantId: string, ids: readonly number[]) => {
  const { rows } = await sql<LineName & { id: number }>`
    select id, nickname, coalesce(custom_name, nickname) as name from service_lines
    where tenant_id = ${tenantId} and id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

const toTarget = ({ group, area }: StoredWindow, line: LineName | undefined): MaintenanceWindow['target'] => {
  if (area) return { kind: 'area', area }
  return group === null ? { kind: 'terminal', terminal: line?.nickname ?? '-' } : { kind: 'group', group }
}

const listTerminalIds = async (db: Db, tenantId: string, name: string) => {
  const { rows } = await sql<{ id: number }>`
    select terminal.id from terminals as terminal
    join service_lines as line on line.tenant_id = terminal.tenant_id and line.id = terminal.service_line_id
    where terminal.tenant_id = ${tenantId}
      and ${name} in (line.nickname, line.service_line_number, terminal.kit_serial)`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The windows that concern a user: all for administrators, those of visible terminals for others. */
const filterWindows = async (db: Db, { tenantId, scope }: Context, planned: PlannedTimes, terminal?: string) => {
  const named = terminal === undefined ? undefined : await listTerminalIds(db, tenantId, terminal)
  return planned.windows.filter((window) => {
    const ids = planned.listTerminals(window)
    if (named) return ids.some((id) => named.has(id))
    return scope.group === undefined || ids.length > 0
  })
}

export const listMaintenance = (ctx: Context, { state, terminal }: RouteInput<typeof maintenance.list>) =>
  ctx.transaction(async (db) => {
    const { tenantId } = ctx
    const nowMs = ctx.services.now().getTime()
    const planned = await readPlannedTimes(db, tenantId, new Date(nowMs - SHOWN_FOR_MS))
    const windows = await filterWindows(db, ctx, planned, terminal)
    const lines = await listLineNames(
      db,
      tenantId,
      windows.flatMap(({ lineId }) => lineId ?? []),
    )
    const shown = windows.map((window): MaintenanceWindow => {
      const time = findShownOccurrence(window, nowMs)
      const line = window.lineId === null ? undefined : lines.get(window.lineId)
      return {
        id: window.id,
        name: window.name,
        target: toTarget(window, line),
        terminalName: line?.name ?? null,
        schedule: window.schedule,
        timeZone: window.timeZone,
        state: !time || time.toMs <= nowMs ? 'past' : time.fromMs <= nowMs ? 'running' : 'upcoming',
        from: time ? new Date(time.fromMs) : null,
        until: time ? new Date(time.toMs) : null,
        terminals: planned.listTerminals(window).length,
      }
    })
    const wanted = shown.filter((window) => state === undefined || window.state === state).sort(compareWindows)
    const current = wanted.filter((window) => window.state !== 'past')
    const past = wanted.filter((window) => window.state === 'past').slice(0, MAX_PAST)
    return { timeZone: await getTimeZone(db, tenantId), windows: [...current, ...past] }
  })

const MAX_RUNNING = 10

/** Windows running now or at a time, of everything that the caller may see or of one line. */
export const listRunningWindows = async (db: Db, ctx: Context, terminal?: string, now = ctx.services.now()) => {
  const planned = await readPlannedTimes(db, ctx.tenantId, now)
  const windows = await filterWindows(db, ctx, planned, terminal)
  return windows
    .flatMap((window) => {
      const time = findOccurrence(window, now.getTime())
      return time ? { id: window.id, name: window.name, until: new Date(time.toMs) } : []
    })
    .slice(0, MAX_RUNNING)
}
