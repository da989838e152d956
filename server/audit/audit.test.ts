import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mailAuditHead } from '../audit-digest/mail-heads.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { recordAudit } from './record.ts'
import { verifyChain } from './verify.ts'

let server: TestServer
let superuser: pg.Client
let token: string
let dataDir: string

const record = (tenantId: string, performee: string, more: object = {}) =>
  server.database.transaction({ tenantId }, (db) =>
    recordAudit(db, tenantId, new Date(), {
      performer: 'ada@a.example',
      action: 'pool.update',
      performee,
      details: { before: { size: 1.5, name: 'Utqiaġvik' }, after: { size: 2, name: null } },
      ...more,
    }),
  )

const verify = async (tenant = 'a') => (await server.call(tenant, 'GET', '/api/get-logs/verify/', { token })).body

/** Tampers as an attacker with control of the database would. */
const tamper = async (...statements: string[]) => {
  await superuser.query("set session_replication_role = 'replica'")
  for (const statement of statements) await superuser.query(statement)
  await superuser.query("set session_replication_role = 'origin'")
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dishboard-audit-'))
  server = await startTestServer({ DATA_DIR: dataDir })
  superuser = await server.connectSuperuser()
  for (const tenant of ['a', 'b']) await server.addUser(tenant, { email: 'ada@a.example', role: 'admin' })
  token = (await server.signIn('a', 'ada@a.example')).access
})
afterAll(async () => {
  await server.close()
  await rm(dataDir, { recursive: true })
})

describe('the chain', () => {
  beforeEach(async () => {
    // Each test tampers; the next starts with a new chain.
    await tamper('delete from audit_log', 'delete from audit_ends', 'delete from audit_heads')
    for (const tenant of ['a', 'b']) for (let number = 1; number <= 9; number++) await record(tenant, `thing ${number}`)
  })

  test('is intact when untouched, and reports its end', async () => {
    const { rows } = await superuser.query("select hash from audit_log where tenant_id = 'a' and seq = 9")
    expect(await verify()).toEqual({
      intact: true,
      entries: 9,
      head: { id: '9', hash: rows[0].hash.toString('hex') },
      fault: null,
    })
  })

  test.each([
    ['performer', "'eve'"],
    ['action', "'thing.keep'"],
    ['performee', "'another thing'"],
    ['at', "at - interval '1 microsecond'"],
    ['details', `'{"before": {}}'`],
    ['hash', "'\\x00'"],
  ])('shows that the %s of an entry was edited', async (column, value) => {
    await tamper(`update audit_log set ${column} = ${value} where tenant_id = 'a' and seq = 4`)
    expect((await verify()).fault).toEqual({ id: '4', problem: 'Entry 4 was changed after it was written.' })
  })

  test('shows a deleted entry, also the first', async () => {
    await tamper("delete from audit_log where tenant_id = 'a' and seq in (5, 6)")
    expect((await verify()).fault).toEqual({ id: '5', problem: 'Entries 5 to 6 are missing.' })
    await tamper("delete from audit_log where tenant_id = 'a' and seq = 1")
    expect((await verify()).fault).toEqual({ id: '1', problem: 'Entry 1 is missing.' })
  })

  test('shows a deleted entry behind which the others were moved up', async () => {
    await tamper(
      "delete from audit_log where tenant_id = 'a' and seq = 5",
      "update audit_log set seq = seq - 1 where tenant_id = 'a' and seq > 5",
    )
    expect((await verify()).fault).toEqual({ id: '5', problem: 'Entry 5 does not follow the entry before it.' })
  })

  test('shows two entries that changed places', async () => {
    await tamper(
      "update audit_log set seq = 100 where tenant_id = 'a' and seq = 3",
      "update audit_log set seq = 3 where tenant_id = 'a' and seq = 7",
      "update audit_log set seq = 7 where tenant_id = 'a' and seq = 100",
    )
    expect((await verify()).fault).toMatchObject({ id: '3' })
  })

  test('shows a tail that was cut off, and still shows it when the log grows', async () => {
    await tamper("delete from audit_log where tenant_id = 'a' and seq > 7")
    expect((await verify()).fault).toEqual({ id: '8', problem: 'Entries 8 to 9 were cut off the end.' })
    await record('a', 'thing 10')
    expect((await verify()).fault).toEqual({ id: '8', problem: 'Entries 8 to 9 are missing.' })
  })

  test('shows a log that was emptied', async () => {
    await tamper("delete from audit_log where tenant_id = 'a'")
    expect((await verify()).fault).toEqual({ id: '1', problem: 'Entries 1 to 9 were cut off the end.' })
  })

  test('shows an entry that was added by hand', async () => {
    await superuser.query(
      `insert into audit_log select tenant_id, 10, at, 'eve', action, performee, details, hash, '\\x00'
       from audit_log where tenant_id = 'a' and seq = 9`,
    )
    expect((await verify()).fault).toEqual({ id: '10', problem: 'Entry 10 was added past the end of the chain.' })
  })

  test('shows a tail that was cut off together with the note of its end, by what was mailed', async () => {
    await tamper("insert into audit_heads select tenant_id, '2026-11-14', seq, hash from audit_ends")
    await tamper(
      "delete from audit_log where tenant_id = 'a' and seq > 7",
      "update audit_ends e set seq = 7, hash = l.hash from audit_log l where l.tenant_id = 'a' and l.seq = 7 and e.tenant_id = 'a'",
    )
    expect((await verify()).fault).toEqual({ id: '8', problem: 'Entries 8 to 9 were cut off the end.' })
  })

  test('of another tenant is not disturbed', async () => {
    await tamper("delete from audit_log where tenant_id = 'a' and seq > 2")
    const found = await server.database.transaction({ tenantId: 'b' }, (db) => verifyChain(db, 'b'))
    expect(found.fault).toBeUndefined()
  })

  test('has one end, however many changes happen at once', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, number) => record('a', `parallel ${number}`)))
    expect(await verify()).toMatchObject({ intact: true, entries: 29 })
  })

  test('takes no entry of a change that was not made', async () => {
    const failing = server.database.transaction({ tenantId: 'a' }, async (db) => {
      await recordAudit(db, 'a', new Date(), { performer: 'ada', action: 'pool.update', performee: 'y' })
      throw new Error('The change failed.')
    })
    await expect(failing).rejects.toThrow('The change failed.')
    expect(await verify()).toMatchObject({ intact: true, entries: 9 })
  })

  test('is longer than one batch of the verification', async () => {
    await server.database.transaction({ tenantId: 'a' }, async (db) => {
      for (let number = 0; number < 1_200; number++)
        await recordAudit(db, 'a', new Date(), { performer: 'ada', action: 'pool.update', performee: String(number) })
    })
    expect(await verify()).toMatchObject({ intact: true, entries: 1_209 })
    await tamper("update audit_log set performee = 'z' where tenant_id = 'a' and seq = 1150")
    expect((await verify()).fault).toMatchObject({ id: '1150' })
  })
})

test('the runtime can neither change nor delete an entry or a mailed head', async () => {
  const attempt = (statement: string) =>
    server.database.transaction({ tenantId: 'a' }, (_, client) => client.query(statement)).catch((error) => error.code)
  for (const table of ['audit_log', 'audit_heads'])
    for (const statement of [`update ${table} set seq = 1`, `delete from ${table}`, `truncate ${table}`])
      expect(await attempt(statement), statement).toBe('42501')
})

describe('the log', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 14, 12, minute))
  beforeAll(async () => {
    await tamper('delete from audit_log', 'delete from audit_ends', 'delete from audit_heads')
    for (let minute = 0; minute < 12; minute++)
      await server.database.transaction({ tenantId: 'a' }, (db) =>
        recordAudit(db, 'a', at(minute), {
          performer: minute % 3 === 0 ? 'pool guard' : 'ada@a.example',
          action: minute % 2 === 0 ? 'user.update' : 'user.create',
          performee: minute === 5 ? '=cmd|calc' : 'bob@a.example',
          details: { before: { role: 'user' }, after: { role: 'admin' } },
        }),
      )
    await record('b', 'of another tenant')
  })

  const list = async (query = '') => (await server.call('a', 'GET', `/api/get-logs/${query}`, { token })).body
  const ids = async (query: string) => (await list(query)).map(({ id }: { id: string }) => Number(id))

  test('comes newest first with who, what, whom, when and the details', async () => {
    const entries = await list()
    expect(entries).toHaveLength(12)
    expect(entries[0]).toEqual({
      id: '12',
      actionPerformer: 'ada@a.example',
      actionType: 'user.create',
      actionPerformee: 'bob@a.example',
      actionTime: '2026-11-14T12:11:00.000Z',
      details: { before: { role: 'user' }, after: { role: 'admin' } },
    })
  })

  test('is paged by key', async () => {
    expect(await ids('?limit=5')).toEqual([12, 11, 10, 9, 8])
    await record('a', 'comes in between')
    expect(await ids('?limit=5&before=8')).toEqual([7, 6, 5, 4, 3])
    expect(await ids('?limit=5&before=1')).toEqual([])
    await tamper('delete from audit_log where seq = 13', "update audit_ends set seq = 12 where tenant_id = 'a'")
  })

  test('is filtered by person, as performer or performee, by action and by time', async () => {
    expect(await ids('?person=pool%20guard')).toEqual([10, 7, 4, 1])
    expect(await ids('?person=%3Dcmd%7Ccalc')).toEqual([6])
    expect(await ids('?action=user.update&person=ada%40a.example')).toEqual([11, 9, 5, 3])
    expect(await ids(`?from=${at(3).toISOString()}&until=${at(6).toISOString()}`)).toEqual([6, 5, 4])
    expect(await ids('?person=nobody')).toEqual([])
    const { status, body } = await server.call('a', 'GET', '/api/get-logs/?from=yesterday', { token })
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^from: /)])
  })

  test('offers the performers and actions that occur', async () => {
    expect((await server.call('a', 'GET', '/api/get-logs/choices/', { token })).body).toEqual({
      performers: ['ada@a.example', 'pool guard'],
      actions: ['user.create', 'user.update'],
    })
  })

  test('downloads as a file with the same filter and no formula', async () => {
    await superuser.query("update tenant_settings set time_zone = 'America/Anchorage' where tenant_id = 'a'")
    const { headers, body } = await server.call('a', 'GET', '/api/get-logs/csv/?action=user.create', { token })
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toBe('attachment; filename="editing-log.csv"')
    const lines = body.split('\r\n')
    expect(lines[0]).toBe('ActionPerformer,ActionType,ActionPerformee,ActionTime,Details')
    expect(lines).toHaveLength(8)
    expect(lines[4]).toBe(
      `ada@a.example,user.create,'=cmd|calc,2026-11-14T03:05:00.000-09:00,"{""after"":{""role"":""admin""},""before"":{""role"":""user""}}"`,
    )
  })
})

test('the end of the chain goes to the administrators once a day, with what was found in the log', async () => {
  await tamper('delete from audit_log', 'delete from audit_ends', 'delete from audit_heads', 'delete from messages')
  await server.addUser('a', { email: 'bob@a.example', role: 'user' })
  const mails = async () =>
    (await superuser.query('select tenant_id, recipient, subject, text from messages order by created_at, tenant_id'))
      .rows
  const day = (number: number) => new Date(Date.UTC(2026, 10, number, 1, 23))
  await record('b', 'something')
  for (const tenantId of ['a', 'b']) await mailAuditHead(server.database, tenantId, day(14), dataDir)
  for (const tenantId of ['a', 'b'])
    await mailAuditHead(server.database, tenantId, new Date(Date.UTC(2026, 10, 14, 23, 23)), dataDir)
  const first = await mails()
  expect(first.map(({ tenant_id, recipient, subject }) => [tenant_id, recipient, subject])).toEqual([
    ['a', 'ada@a.example', 'The editing log of Company a on Nov 14, 2026 (UTC): entry 1'],
    ['b', 'ada@a.example', 'The editing log of Company b on Nov 14, 2026 (UTC): entry 1'],
  ])
  const { head } = await verify()
  expect(first[0].text).toContain(`audit verify --tenant a --head 1:${head.hash}`)

  await record('a', 'one more')
  await tamper("update audit_log set performee = 'nothing' where tenant_id = 'a' and seq = 1")
  for (const tenantId of ['a', 'b']) await mailAuditHead(server.database, tenantId, day(15), dataDir)
  expect((await mails()).slice(2).map(({ subject }) => subject)).toEqual([
    'The editing log of Company a was tampered with: entry 1',
    'The editing log of Company b on Nov 15, 2026 (UTC): entry 1',
  ])
})
