import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailAuditHead } from '../audit-digest/mail-heads.ts'
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let superuser: pg.Client
let ada: string
let bob: string
beforeAll(async () => {
  server = await startTestServer()
  superuser = await server.connectSuperuser()
  for (const name of ['ada', 'bob']) await server.addUser('a', { email: `${name}@a.example`, role: 'admin' })
  await server.addUser('a', { email: 'eve@a.example' })
  await server.addUser('b', { email: 'ada@a.example', role: 'admin' })
  ada = (await server.signIn('a', 'ada@a.example')).access
  bob = (await server.signIn('a', 'bob@a.example')).access
})
afterAll(() => server.close())

const set = (token: string, auditMail: boolean) =>
  server.call('a', 'POST', '/api/audit-mail/', { token, body: { auditMail } })

/** The recipients of the mail of a day. */
const listRecipients = async (day: number) => {
  await superuser.query('delete from messages')
  await mailAuditHead(server.database, 'a', new Date(Date.UTC(2026, 10, day)), server.services.config.dataDir)
  const { rows } = await superuser.query("select recipient from messages where tenant_id = 'a' order by 1")
  return rows.map(({ recipient }) => recipient)
}

test('ending the daily mail needs the password again, and a mail reports it', async () => {
  expect(await listRecipients(1)).toEqual(['ada@a.example', 'bob@a.example'])
  await superuser.query("update sessions set confirmed_at = 'epoch'")
  expect(await set(ada, false)).toMatchObject({ status: 403, body: { error: 'reauthenticate' } })
  await server.call('a', 'POST', '/api/confirm-password/', { token: ada, body: { password: PASSWORD } })
  expect(await set(ada, false)).toMatchObject({ status: 200, body: { auditMail: false } })
  const { rows } = await superuser.query("select recipient from messages where subject like '%is turned off%'")
  expect(rows).toEqual([{ recipient: 'ada@a.example' }])
  expect(await listRecipients(2)).toEqual(['bob@a.example'])
  const profile = await server.call('a', 'GET', '/api/user-profile/', { token: ada })
  expect(profile.body).toMatchObject({ auditMail: false })
})

test('the last one who gets it cannot end it, and users who are no administrators have no say', async () => {
  await server.call('a', 'POST', '/api/confirm-password/', { token: bob, body: { password: PASSWORD } })
  expect((await set(bob, false)).status).toBe(409)
  const eve = (await server.signIn('a', 'eve@a.example')).access
  expect((await set(eve, false)).status).toBe(403)
})

test('all administrators get it if nobody is left who did, or if the log was altered', async () => {
  await superuser.query("update users set role = 'user' where tenant_id = 'a' and email = 'bob@a.example'")
  expect(await listRecipients(3)).toEqual(['ada@a.example'])
  await superuser.query("update users set role = 'admin' where tenant_id = 'a' and email = 'bob@a.example'")
  await superuser.query(
    "set session_replication_role = 'replica'; update audit_log set action = 'x' where tenant_id = 'a'",
  )
  expect(await listRecipients(4)).toEqual(['ada@a.example', 'bob@a.example'])
})
