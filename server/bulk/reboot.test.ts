import { afterAll, beforeAll, expect, test } from 'vitest'
import { rebootsPerMinute } from '#contract/bulk.ts'
import { type CommandedFleet, startCommandedFleet } from '../commands/testing/commanded-fleet.ts'
import { countRequests, requestsPerMinute } from '../vendor/request-shares.ts'
import { createBulkQueue } from './queue.ts'

let fleet: CommandedFleet
let token: string
beforeAll(async () => {
  fleet = await startCommandedFleet()
  token = (await fleet.signIn('a', 'admin@mail.example')).access
})
afterAll(() => fleet.close())

/** Runs the queue until nothing is due, advancing the clock past the vendor's rate limit. */
const runToEnd = async (subject: string) => {
  const { database, services, clock } = fleet
  const queue = createBulkQueue({ database, secrets: services.secrets, now: services.now })
  const job = { queue: 'bulk', tenantId: 'a', subject, fence: 1, failures: 0 } as const
  let waits = 0
  for (;;) {
    const next = await queue.run(job, AbortSignal.timeout(300_000))
    if (!next) return waits
    if (next > clock.now) waits++
    clock.now = next
  }
}

test('terminals reboot one after the other within the vendor’s limit, and none twice', async () => {
  const lines = await fleet.rows<{ id: number; credential: number }>(
    'a',
    'select id, credential_id as credential from service_lines order by id',
  )
  const terminals = await fleet.rows(
    'a',
    'select id from terminals where service_line_id is not null and removed_at is null',
  )
  const done = terminals.length
  // Other commands have used most of this minute's limit.
  await fleet.database.transaction({ tenantId: 'a' }, (db) =>
    countRequests(db, {
      credential: { tenantId: 'a', id: lines[0]?.credential as number },
      share: 'commands',
      now: fleet.clock.now,
      count: requestsPerMinute.commands - 5,
      sentWithinMs: 1,
    }),
  )
  const body = { terminals: lines.map(({ id }) => String(id)), change: { kind: 'reboot' } }
  const { id } = (await fleet.call('a', 'POST', '/api/bulk-changes/', { token, body })).body
  await fleet.rows('a', `insert into jobs (queue, tenant_id, subject, fence) values ('bulk', 'a', '${id}', 1)`)
  expect(await runToEnd(id)).toBeGreaterThan(0)
  const [closest] = await fleet.rows<{ gap: number }>(
    'a',
    `select extract(epoch from min(next - requested_at))::float8 as gap
     from (select requested_at, lead(requested_at) over (order by requested_at) as next from commands) as command`,
  )
  expect(closest?.gap).toBeGreaterThanOrEqual(60 / rebootsPerMinute)
  const get = async () => (await fleet.call('a', 'GET', `/api/bulk-changes/${id}/`, { token })).body
  const countCommands = async () => (await fleet.rows('a', "select id from commands where kind = 'reboot'")).length
  expect(await get()).toMatchObject({
    state: 'finished',
    canUndo: false,
    counts: { done, failed: lines.length - done },
  })
  expect((await get()).lines[0]).toMatchObject({ state: 'failed', problem: 'This line has no such terminal.' })
  expect(await countCommands()).toBe(done)
  // As if the process had been killed between a command and its result.
  await fleet.rows(
    'a',
    `update bulk_lines set state = 'waiting' where bulk_id = '${id}' and state = 'done' and position <= 5`,
  )
  await fleet.rows('a', `update bulk_changes set state = 'running' where id = '${id}'`)
  await runToEnd(id)
  expect(await get()).toMatchObject({ state: 'finished', counts: { done } })
  expect(await countCommands()).toBe(done)
})
