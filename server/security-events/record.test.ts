import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { MAX_FOLDED_ROWS, recordSecurityEvent, type SecurityEvent } from './record.ts'

let fixture: TestDatabase
let superuser: pg.Client
let userId: number

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const noon = new Date('2026-11-14T12:00:00Z')
const minutesLater = (minutes: number) => new Date(noon.getTime() + minutes * 60_000)

const record = (event: SecurityEvent, at = noon, tenantId = 'a') =>
  fixture.database.transaction({ tenantId }, (db) => recordSecurityEvent(db, tenantId, at, event))
const listRows = async (tenantId = 'a') =>
  (await superuser.query('select * from security_events where tenant_id = $1 order by id', [tenantId])).rows
const fail = (account: string, address: string, more: Partial<SecurityEvent> = {}): SecurityEvent => ({
  kind: 'sign_in_failed',
  account,
  origin: { address, userAgent: FIREFOX },
  ...more,
})

beforeAll(async () => {
  fixture = await createTestDatabase()
  superuser = await fixture.connectSuperuser()
  await superuser.query("insert into tenants (id) values ('a'), ('b')")
})
beforeEach(async () => {
  await superuser.query('delete from security_events; delete from users')
  const { rows } = await superuser.query(
    `insert into users (tenant_id, email, password_hash, role, group_name, customer_name, company)
     values ('a', 'ada@a.example', '-', 'admin', 'north', 'Ada', 'Company') returning id`,
  )
  userId = rows[0].id
})
afterAll(() => fixture.close())

test('an event has account, actor, address, device in words, time and details, and belongs to one tenant', async () => {
  const origin = { address: '203.0.113.7', userAgent: FIREFOX }
  await record({ kind: 'password_reset', account: 'ada@a.example', userId, actor: 'bob@a.example', origin })
  expect(await listRows()).toMatchObject([
    {
      kind: 'password_reset',
      account: 'ada@a.example',
      actor: 'bob@a.example',
      address: '203.0.113.7',
      device: 'Firefox on Windows',
      at: noon,
      last_at: noon,
      count: 1,
      details: {},
    },
  ])
  const seenByB = await fixture.database.transaction({ tenantId: 'b' }, (db) =>
    db.selectFrom('security_events').select('id').execute(),
  )
  expect(seenByB).toEqual([])
})

test('a token that is used from ever more networks fills no more than the rows of an hour, and tokens stay apart', async () => {
  const use = (address: string, token: string) =>
    record(fail('ada@a.example', address, { kind: 'token_new_address', userId, details: { token } }))
  for (const token of ['Script', 'Script', 'Billing']) await use('203.0.113.7', token)
  const rows = await listRows()
  expect(rows.map(({ count, details }) => [count, details.token])).toEqual([
    [2, 'Script'],
    [1, 'Billing'],
  ])
  for (let index = 0; index < MAX_FOLDED_ROWS + 10; index++) await use(`10.${index}.0.1`, 'Script')
  expect(await listRows()).toHaveLength(MAX_FOLDED_ROWS + 1)
})

test('the events of a deleted user stay, without the user', async () => {
  await record({ kind: 'sign_in', account: 'ada@a.example', userId })
  await superuser.query('delete from users')
  expect(await listRows()).toMatchObject([{ account: 'ada@a.example', user_id: null }])
})

test('failures of one network at one account within an hour are one row with a count', async () => {
  for (const minute of [0, 1, 59]) await record(fail('ada@a.example', '203.0.113.7', { userId }), minutesLater(minute))
  await record(fail('Nobody@a.example', '2001:db8::1'))
  await record(fail('nobody@a.example', '2001:db8::2'))
  await record(fail('ada@a.example', '203.0.113.8', { userId }))
  await record(fail('ada@a.example', '203.0.113.7', { userId }), minutesLater(60))
  expect((await listRows()).map(({ account, count, last_at }) => [account, count, last_at])).toEqual([
    ['ada@a.example', 3, minutesLater(59)],
    ['Nobody@a.example', 2, noon],
    ['ada@a.example', 1, noon],
    ['ada@a.example', 1, minutesLater(60)],
  ])
})

test('failures that come at once are all counted', async () => {
  await Promise.all(Array.from({ length: 30 }, () => record(fail('ada@a.example', '203.0.113.7', { userId }))))
  expect((await listRows()).map(({ count }) => count)).toEqual([30])
})

test('guessing at thousands of names from as many networks fills neither the table nor hides a known account', async () => {
  await fixture.database.transaction({ tenantId: 'a' }, async (db) => {
    for (let number = 0; number < MAX_FOLDED_ROWS + 300; number++) {
      const address = `2001:db8:${Math.floor(number / 100)}:${number % 100}::1`
      await recordSecurityEvent(db, 'a', noon, fail(`guess${number}@a.example`, address))
      if (number % 2 === 0) await recordSecurityEvent(db, 'a', noon, fail('ada@a.example', address, { userId }))
    }
  })
  const rows = await listRows()
  expect(rows.length).toBeLessThanOrEqual(MAX_FOLDED_ROWS + 2)
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(750)
  expect(rows.filter(({ account, network }) => account === 'ada@a.example' && network === '')).toHaveLength(1)
  expect(rows.filter(({ account }) => account === '')).toHaveLength(1)
})
