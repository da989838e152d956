import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { enqueue } from '../platform/worker/enqueue.ts'
import { recordFeedSuccess } from '../telemetry/feed-state.ts'
import { findCycle } from './billing-cycle.ts'
import { addDays } from './days.ts'
import { anchorDay, type CappedPools, cycle, startCappedPools } from './testing/capped-pool.ts'

const child = fileURLToPath(new URL('./testing/work-process.ts', import.meta.url))
const LEASE_OVER_MS = 3 * 60_000
// Workers are separate processes; on a busy machine each takes seconds to start.
const polling = { timeout: 250_000, interval: 200 }

let fixture: CappedPools
let vendor: CappedPools['vendor']
let workers: ChildProcess[] = []
let poolId: number
let numbers: string[]

beforeAll(async () => {
  fixture = await startCappedPools()
  vendor = fixture.vendor
})
afterAll(() => fixture.close())

beforeEach(async () => {
  const created = await fixture.createCappedPool()
  poolId = created.poolId
  numbers = created.numbers
})

afterEach(async () => {
  for (const worker of workers) worker.kill('SIGKILL')
  await Promise.all(
    workers
      .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
      .map((worker) => once(worker, 'exit')),
  )
  workers = []
})

const startWorker = (aheadMs = 0) => {
  const given = JSON.stringify({ connection: fixture.runtime, aheadMs })
  const worker = spawn(process.execPath, [child, given], { stdio: ['ignore', 'ignore', 'inherit'] })
  workers.push(worker)
  return worker
}

const states = () =>
  fixture.rows<{ state: string; count: number }>(
    'alpha',
    `select state, count(*)::int as count from pool_orders join pool_crossings on pool_crossings.id = crossing_id
     where pool_id = ${poolId} group by state`,
  )

/** How often the vendor opted each line out. */
const carriedOut = () => {
  const { changes, findLine } = fixture.simulator.simulation
  return numbers.map((number) => {
    const line = findLine(number)
    return (line && changes.lines.get(line)?.optIn.filter(({ on }) => !on).length) ?? 0
  })
}

const everyLineOnce = () => numbers.map(() => 1)
const allSeen = () =>
  vi.waitFor(async () => expect(await states()).toEqual([{ state: 'seen', count: numbers.length }]), polling)

test('two workers opt every line out once', async () => {
  const requested: string[] = []
  vendor.watch.optOut = (line, carryOut) => {
    requested.push(line)
    return carryOut()
  }
  startWorker()
  startWorker()
  await allSeen()
  expect(requested.sort()).toEqual([...numbers].sort())
  expect(carriedOut()).toEqual(everyLineOnce())
  const lines = await fixture.rows('alpha', 'select from service_lines where active and opt_in_product_id is not null')
  expect(lines).toHaveLength(0)
  const audited = await fixture.rows(
    'alpha',
    `select distinct performee from audit_log where action = 'service_line.opt_in' and details->>'desired' = 'opt out'`,
  )
  expect(audited).toHaveLength(numbers.length)
  const receipts = await fixture.rows(
    'alpha',
    `select distinct service_line_id from commands where kind = 'opt_in' and requested_by = 'plan manager'`,
  )
  expect(receipts).toHaveLength(numbers.length)
})

test('a worker that is killed after the vendor acted, before the response, leads to no second call', async () => {
  const requested: string[] = []
  const doomed = startWorker()
  vendor.watch.optOut = async (line, carryOut) => {
    requested.push(line)
    await carryOut()
    if (requested.length > 1) return
    const dead = once(doomed, 'exit')
    doomed.kill('SIGKILL')
    await dead
    startWorker(LEASE_OVER_MS)
    startWorker(LEASE_OVER_MS)
  }
  await allSeen()
  expect(requested.sort()).toEqual([...numbers].sort())
  expect(carriedOut()).toEqual(everyLineOnce())
})

test('an order whose worker is killed before the vendor acted is sent by another worker', async () => {
  const doomed = startWorker()
  let lost = false
  vendor.watch.optOut = async (_, carryOut) => {
    if (lost) return carryOut()
    lost = true
    const dead = once(doomed, 'exit')
    doomed.kill('SIGKILL')
    await dead
    startWorker(LEASE_OVER_MS)
  }
  await allSeen()
  expect(carriedOut()).toEqual(everyLineOnce())
})

test('an order is sent again after the vendor failed for a while', async () => {
  fixture.simulator.play('all-failing')
  startWorker()
  await vi.waitFor(async () => {
    const [row] = await fixture.rows<{ problem: string }>(
      'alpha',
      'select problem from pool_orders where problem is not null',
    )
    expect(row?.problem).toMatch(/failed|reject|token/i)
  }, polling)
  fixture.simulator.stopScenario('all-failing')
  startWorker(LEASE_OVER_MS)
  await allSeen()
  expect(carriedOut()).toEqual(everyLineOnce())
})

test('an order that the vendor accepts and drops is not confirmed', async () => {
  fixture.simulator.play('commands-dropped')
  startWorker()
  await vi.waitFor(async () => expect(await states()).toEqual([{ state: 'accepted', count: numbers.length }]), polling)
  startWorker(15 * 60_000)
  await vi.waitFor(
    async () => expect(await states()).toEqual([{ state: 'not confirmed', count: numbers.length }]),
    polling,
  )
  fixture.simulator.stopScenario('commands-dropped')
})

test('workers that were down at midnight, and when usage came in, start the next cycle once', async () => {
  const { tenantId, credentialId } = fixture.alpha
  await fixture.database.transaction({ tenantId }, async (db) => {
    const ended = findCycle(addDays(cycle.start, -1), anchorDay)
    await db.deleteFrom('pools').execute()
    const { id } = await db
      .insertInto('pools')
      .values({
        tenant_id: tenantId,
        name: 'Overnight',
        over_limit_behavior: 'Purchase Buckets',
        usage_limit_gb: 500,
        next_usage_limit_gb: 3,
        top_up_gb: 1000,
        anchor_day: anchorDay,
        cycle_start: ended.start,
        cycle_end: ended.end,
        created_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    poolId = id
    const line = await db.selectFrom('service_lines').select('id').where('active', '=', true).executeTakeFirstOrThrow()
    await db.insertInto('pool_lines').values({ tenant_id: tenantId, pool_id: id, service_line_id: line.id }).execute()
    await recordFeedSuccess(db, { tenantId, credentialId, feed: 'usage', at: new Date() })
    await enqueue(db, 'pools', tenantId)
  })
  startWorker()
  startWorker()
  await vi.waitFor(async () => {
    const [pool] = await fixture.rows('alpha', `select cycle_start, usage_limit_gb, top_up_gb, used_gb from pools`)
    expect(pool).toEqual({ cycle_start: cycle.start, usage_limit_gb: 3, top_up_gb: 500, used_gb: 5 })
  }, polling)
  const actions = await fixture.rows<{ action: string; count: number }>(
    'alpha',
    `select action, count(*)::int as count from audit_log where performee = 'Overnight' group by 1 order by 1`,
  )
  expect(actions).toEqual([
    { action: 'pool.cycle', count: 1 },
    { action: 'pool.limit_reached', count: 1 },
    { action: 'pool.top_up', count: 1 },
  ])
})
