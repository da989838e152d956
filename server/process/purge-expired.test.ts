import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { receiptsShown } from '#contract/command-receipt.ts'
import { insertCommand, updateCommand } from '../commands/command-rows.ts'
import { consume, perMinutes } from '../identity/rate-limits.ts'
import { queueMail } from '../messages/queue-mail.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { changeTenantSettings, lockTenantSettings } from '../tenants/tenant-settings.ts'
import { addLine } from '../testing/add-line.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { purgeExpired } from './purge-expired.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const DAY_MS = 86_400_000

const at = new Date('2026-06-01T00:00:00Z')
const installation = { ticketRetentionDays: 30, messageRetentionDays: 20, securityEventRetentionDays: 10 }

const addOneOfEach = (tenantId: string) =>
  server.database.transaction({ tenantId }, async (db) => {
    const ticket = { name: 'Some One', email: 'someone@mail.example', message: 'Help', address: '127.0.0.1' }
    await db
      .insertInto('tickets')
      .values({ tenant_id: tenantId, ...ticket, created_at: at })
      .execute()
    await queueMail(db, tenantId, { to: 'someone@mail.example', subject: 'Hello', text: 'Hello', html: 'Hello' })
    await db.updateTable('messages').set({ created_at: at }).execute()
    await recordSecurityEvent(db, tenantId, at, { kind: 'sign_in', account: 'someone@mail.example' })
  })

const listLeft = async (tenantId: string, days: number) => {
  await purgeExpired(server.database, tenantId, new Date(at.getTime() + days * DAY_MS), installation)
  return server.database.transaction({ tenantId }, async (db) => {
    const left = []
    for (const table of ['tickets', 'messages', 'security_events'] as const)
      if (await db.selectFrom(table).select('id').executeTakeFirst()) left.push(table)
    return left
  })
}

test('tickets, messages and security events are retained as long as the operator has set', async () => {
  await addOneOfEach('a')
  expect(await listLeft('a', 10)).toEqual(['tickets', 'messages', 'security_events'])
  expect(await listLeft('a', 11)).toEqual(['tickets', 'messages'])
  expect(await listLeft('a', 21)).toEqual(['tickets'])
  expect(await listLeft('a', 31)).toEqual([])
})

test('a table that cannot be purged does not retain the others, and is reported', async () => {
  await addOneOfEach('a')
  const superuser = await server.connectSuperuser()
  await superuser.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
    create trigger refuse before delete on messages for each statement execute function refuse()`)
  await expect(listLeft('a', 40)).rejects.toThrow('not now')
  await superuser.query('drop trigger refuse on messages; drop function refuse()')
  const { rows } = await superuser.query(
    "select 'tickets' as name from tickets where tenant_id = 'a' union select 'messages' from messages where tenant_id = 'a'",
  )
  expect(rows).toEqual([{ name: 'messages' }])
  expect(await listLeft('a', 40)).toEqual([])
})

test('a tenant with a retention of its own has that one', async () => {
  await addOneOfEach('b')
  await server.database.transaction({ tenantId: 'b' }, async (db) => {
    const change = { ticketRetentionDays: 15, securityEventRetentionDays: 40 }
    const by = { performer: 'test', now: new Date() }
    await changeTenantSettings(db, 'b', by, await lockTenantSettings(db, 'b'), change)
  })
  expect(await listLeft('b', 15)).toEqual(['tickets', 'messages', 'security_events'])
  expect(await listLeft('b', 16)).toEqual(['messages', 'security_events'])
  expect(await listLeft('b', 21)).toEqual(['security_events'])
  expect(await listLeft('b', 41)).toEqual([])
})

test('commands are retained like security events, at least 90 days, and as long as the page of their line shows them', async () => {
  const OF_OTHER_LINE = 'of another line'
  const [first = '', ...later] = Array.from({ length: receiptsShown + 2 }, (_, index) => `${index}`)
  const all = [first, OF_OTHER_LINE, ...later]
  const list = (tenantId: string) =>
    server.database.transaction({ tenantId }, async (db) =>
      (await db.selectFrom('commands').select('desired').orderBy('id').execute()).map(({ desired }) => desired),
    )
  for (const tenantId of ['a', 'b'])
    await server.database.transaction({ tenantId }, async (db) => {
      const { lineId } = await addLine(db, tenantId, { service_line_number: 'SL-commands', group_name: 'north' })
      const quiet = await addLine(db, tenantId, { service_line_number: 'SL-quiet', group_name: 'north' })
      for (const desired of all) {
        const id = await insertCommand(db, {
          tenantId,
          lineId: desired === OF_OTHER_LINE ? quiet.lineId : lineId,
          terminalId: null,
          kind: 'ip_policy',
          desired,
          requestedBy: 'someone',
          userId: null,
          idempotencyKey: undefined,
          requestedAt: at,
          before: {},
        })
        // The first one has never settled.
        const state = desired === first ? { state: 'unknown' as const } : { state: 'seen' as const, settledAt: at }
        await updateCommand(db, { tenantId, id: id as number }, state)
      }
    })
  const purge = (tenantId: string, days: number, securityEventRetentionDays = 10) =>
    purgeExpired(server.database, tenantId, new Date(at.getTime() + days * DAY_MS), {
      ...installation,
      securityEventRetentionDays,
    })
  await purge('a', 90)
  expect(await list('a')).toEqual(all)
  await purge('a', 91)
  expect(await list('a')).toEqual(all.filter((name) => name !== '1'))
  // This tenant has set 40 days for itself, and the other one has no setting.
  await purge('b', 91, 400)
  expect(await list('b')).toEqual(all.filter((name) => name !== '1'))
})

test('statuses and crossings of pools are retained for 400 days after they ended, and the current ones for good', async () => {
  const day = (days: number) => new Date(at.getTime() + days * DAY_MS)
  await server.database.transaction({ tenantId: 'a' }, async (db) => {
    const { lineId, terminalIds } = await addLine(db, 'a', { service_line_number: 'SL-old', group_name: 'north' })
    const status = (status: string, from: number, to: number | null, noted = from) => ({
      tenant_id: 'a',
      terminal_id: terminalIds[0] as number,
      status,
      started_at: day(from),
      ended_at: to === null ? null : day(to),
      noted_at: day(noted),
    })
    await db
      .insertInto('status_intervals')
      .values([
        status('offline', -9, -8, 300),
        status('online', -3, -2),
        status('offline', -2, 0),
        status('online', 0, 2),
        status('offline', 2, null),
      ])
      .execute()
    await sql`
      insert into pools (tenant_id, name, group_name, over_limit_behavior, usage_limit_gb, next_usage_limit_gb, anchor_day,
        cycle_start, cycle_end, created_at)
      values ('a', 'Shared', 'north', 'Hard Cap', 100, 100, 1, '2026-11-01', '2026-12-01', now())`.execute(db)
    for (const [ended, state] of [
      [day(-1), 'seen'],
      [day(-1), 'accepted'],
      [day(1), 'seen'],
      [null, 'seen'],
    ] as const)
      await sql`
        with crossing as (
          insert into pool_crossings (tenant_id, pool_id, cycle_start, behavior, limit_gb, used_gb, crossed_at, ended_at)
          select 'a', id, cycle_start, 'Hard Cap', 100, 101, ${day(-5)}, ${ended} from pools where name = 'Shared'
          returning id, pool_id),
        bought as (
          insert into pool_top_ups (tenant_id, pool_id, cycle_start, amount_gb, bought_at, bought_by, crossing_id)
          select 'a', pool_id, '2026-11-01', 50, ${day(-5)}, 'pools', id from crossing)
        insert into pool_orders (tenant_id, crossing_id, service_line_id, desired, state, requested_at, due_at)
        select 'a', id, ${lineId}, 'opt out', ${state}, ${day(-5)}, ${day(-5)} from crossing`.execute(db)
  })
  const count = (days: number) =>
    purgeExpired(server.database, 'a', day(days), installation).then(() =>
      server.database.transaction({ tenantId: 'a' }, async (db) => {
        const counts = []
        for (const table of ['status_intervals', 'pool_crossings', 'pool_orders', 'pool_top_ups'] as const)
          counts.push((await db.selectFrom(table).select('tenant_id').execute()).length)
        return counts
      }),
    )
  expect(await count(390)).toEqual([5, 4, 4, 4])
  expect(await count(400)).toEqual([4, 3, 3, 4])
  expect(await count(800)).toEqual([1, 2, 2, 4])
})

test('deletes what has expired in a tenant, and retains the rest', async () => {
  // Rate limits of sign-ins expire within seconds, which a busy machine has needed for the tests before this one.
  const start = server.clock.now
  for (const tenantId of ['a', 'b']) {
    await server.addUser(tenantId)
    await server.signIn(tenantId)
    await server.database.transaction({ tenantId }, async (db) => {
      await consume(db, tenantId, [perMinutes('x', 1, 15)], start)
      const mail = { to: 'someone@mail.example', subject: 'Hello', text: 'Hello', html: 'Hello' }
      await queueMail(db, tenantId, mail)
    })
  }
  const count = async () => {
    const counts = []
    for (const tenantId of ['a', 'b'])
      for (const table of ['rate_limits', 'sessions', 'messages', 'security_events'] as const)
        counts.push(
          await server.database.transaction(
            { tenantId },
            async (db) => (await db.selectFrom(table).selectAll().execute()).length,
          ),
        )
    return counts
  }
  const { retention } = server.services.config
  const before = await count()
  for (const tenantId of ['a', 'b']) await purgeExpired(server.database, tenantId, start, retention)
  expect(await count()).toEqual(before)
  const later = new Date(Date.now() + 366 * DAY_MS)
  for (const tenantId of ['a', 'b']) await purgeExpired(server.database, tenantId, later, retention)
  expect(await count()).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
})
