import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { OverLimitBehavior } from '#contract/plans.ts'
import { addPool } from '#server/plans/create-pool.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Installation } from '#server/process/installation.ts'
import { writePastUsage } from './past-usage.ts'
import { demoTenants } from './tenants.ts'

interface DemoPool {
  name: string
  behavior: OverLimitBehavior
  group: string
  /** Matches the names of the lines in the pool. */
  lines: RegExp
  /** The share of its limit that its lines have used when it is created. */
  usedShare: number
}

const OFFICES = /School|Clinic|Hall|Library|Store|Office|Airport|Power Plant/
const HOMES = /Cabin|Homestead|Bungalow|Duplex|Housing|Residence|Apartments/
const BOATS = /^F\/V/
const REMOTE = /Lodge|Camp|Mine|Outfitters|Station|Drill Site/

/** Some last, some may run out and one is over its limit. Executives do not see the name of the last one. */
const POOLS: DemoPool[] = [
  { name: 'NORTH-Villages-Schools and Clinics', behavior: 'Hard Cap', group: 'north', lines: OFFICES, usedShare: 0.46 },
  { name: 'SOUTH-Towns-Offices', behavior: 'Hard Cap', group: 'south', lines: OFFICES, usedShare: 0.72 },
  { name: 'SOUTH-Harbors-Boats', behavior: 'Purchase Buckets', group: 'south', lines: BOATS, usedShare: 0.91 },
  { name: 'NORTH-Villages-Homes', behavior: 'Soft Cap', group: 'north', lines: HOMES, usedShare: 1.14 },
  { name: 'Lodges and camps', behavior: 'Hard Cap', group: 'south', lines: REMOTE, usedShare: 0.58 },
]

const POLL_INTERVAL_MS = 500
// A larger pool would be unrealistic for a reseller, however large the demo is.
const LINES_PER_POOL_MAX = 500

/** Lines with their usage in this cycle; empty until the vendor's usage has been read. */
const listLines = async (db: Db, tenantId: string) => {
  const { rows } = await sql<{ number: string; nickname: string; group: string; used_gb: number }>`
    select line.service_line_number as number, line.nickname, line.group_name as group,
      coalesce((
        select usage.priority_gb from line_usage as usage
        where usage.tenant_id = line.tenant_id and usage.service_line_id = line.id
        order by usage.cycle_start desc limit 1), 0) as used_gb
    from service_lines as line
    where line.tenant_id = ${tenantId} and line.removed_at is null and exists (
      select from vendor_feeds where tenant_id = ${tenantId} and feed = 'usage' and last_success_at is not null)
    order by line.id`.execute(db)
  return rows
}

const hadPools = async (db: Db, tenantId: string) =>
  (
    await db
      .selectFrom('audit_log')
      .select('seq')
      .where('tenant_id', '=', tenantId)
      .where('action', '=', 'pool.create')
      .limit(1)
      .execute()
  ).length > 0

/** Returns whether the tenant has or had pools. */
const addPools = (installation: Installation, tenantId: string) =>
  installation.database.transaction({ tenantId }, async (db) => {
    if (await hadPools(db, tenantId)) return true
    const lines = await listLines(db, tenantId)
    if (lines.length === 0) return false
    await writePastUsage(db, tenantId)
    const by = { user: { email: `admin@${tenantId}.example`, role: 'admin' as const, group: '' }, now: new Date() }
    for (const pool of POOLS) {
      const members = lines
        .filter(({ nickname, group }) => group === pool.group && pool.lines.test(nickname))
        .slice(0, LINES_PER_POOL_MAX)
      const usedGb = members.reduce((sum, { used_gb }) => sum + used_gb, 0)
      if (usedGb < 1) continue
      await addPool(db, tenantId, by, {
        plan_name: pool.name,
        over_limit_behavior: pool.behavior,
        usage_limit: Math.max(10, Math.round(usedGb / pool.usedShare)),
        assigned_service_lines: members.map(({ number }) => number),
      })
    }
    return true
  })

interface Options {
  installation: Installation
  log: FastifyBaseLogger
  /** Runs before the tenant's pools are added. Returns false if it cannot run yet. */
  addPast: (tenantId: string) => Promise<boolean>
}

/** Gives each demo tenant its history and some pools as soon as the usage of its lines is known. */
export const startDemoPools = ({ installation, log, addPast }: Options) => {
  const stopping = new AbortController()
  const waiting = new Set(demoTenants.filter(({ share }) => share > 0).map(({ id }) => id))
  const addPastOnce = (tenantId: string) =>
    addPast(tenantId).catch((error: unknown) => {
      log.warn({ err: error, tenantId }, 'Could not create the past of a demo tenant.')
      return true
    })
  const working = (async () => {
    while (waiting.size > 0 && !stopping.signal.aborted) {
      for (const tenantId of waiting)
        if ((await addPastOnce(tenantId)) && (await addPools(installation, tenantId))) waiting.delete(tenantId)
      await pause(POLL_INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })().catch((error: unknown) => log.warn({ err: error }, 'Could not create the pools of the demo.'))
  return {
    /** Resolves when every tenant has its pools. */
    ready: working,
    stop: async () => {
      stopping.abort()
      await working
    },
  }
}
