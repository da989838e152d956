import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadAuditKeys } from '#server/audit/keys.ts'
import { openBody, sealBody } from '#server/messages/sealed-body.ts'
import { deriveSecrets } from '#server/platform/secrets.ts'
import { sealedColumns } from '#server/process/sealed-columns.ts'
import { createTestDatabase, TEST_SECRET_KEY, type TestDatabase } from '#server/testing/database.ts'
import { startMailbox } from '#server/testing/mailbox.ts'
import { PASSWORD, startTestServer, type TestServer } from '#server/testing/server.ts'
import { connectVendor, listCredentials } from '#server/vendor/credentials.ts'
import { buildEnvironment, runDishboard } from './testing/run-dishboard.ts'

const OLD = TEST_SECRET_KEY
const NEW = 'a new key that is long enough for tests'
// 'the secret', encrypted with the old key by a version without key ids.
const WITHOUT_ID = '39ea81c90b1bf98c3423aa11e7311399b484382a1495b1cbb48952e9ccf01df06c0e418b348a'
// More than one batch.
const MANY = 450

let server: TestServer
let restored: TestDatabase
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dishboard-keys-'))
  server = await startTestServer()
  restored = await createTestDatabase({ template: 'template0' })
  await server.addUser('a', { email: 'ada@mail.example' })
  await server.addUser('a', { email: 'otp@mail.example', checkOtp: true })
  await server.addUser('a', { email: 'app@mail.example' })
  await server.addUser('b', { email: 'bob@mail.example' })
})
afterAll(async () => {
  loadAuditKeys([OLD])
  await server.close()
  await restored.close()
  await rm(folder, { recursive: true, force: true })
})

/** Continues with these keys, as after a restart of the server. */
const restartWith = (current: string, ...previous: string[]) => {
  server.services.secrets = deriveSecrets(current, previous)
  loadAuditKeys([current, ...previous])
}

const run = (args: string[], [current, ...previous]: [string, ...string[]], db: TestDatabase = server) =>
  runDishboard(args, {
    ...buildEnvironment(db),
    DATA_DIR: folder,
    SECRET_KEY: current,
    SECRET_KEY_PREVIOUS: previous.join(', '),
  })

const post = async (path: string, body: object, cookie?: string) => {
  const {
    status,
    headers,
    body: found,
  } = await server.call('a', 'POST', path, {
    body,
    ...(cookie && { headers: { cookie } }),
  })
  return { status, body: found, cookie: String(headers['set-cookie']).split(';')[0] as string }
}
const signIn = (email: string, cookie?: string) => post('/api/user/login/', { email, password: PASSWORD }, cookie)
const readProfile = async (token: string) => (await server.call('a', 'GET', '/api/verify-token/', { token })).body.email

const generate = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: server.clock.now.getTime() + steps * 30_000,
  })

/** Adds an authenticator app to a user. Returns its secret. */
const addApp = async (email: string): Promise<string> => {
  const { access: token } = (await signIn(email)).body
  const { body } = await server.call('a', 'POST', '/api/my-factors/totp/', { token, body: {} })
  const code = { code: generate(body.secret) }
  expect((await server.call('a', 'POST', '/api/my-factors/totp/confirm/', { token, body: code })).status).toBe(200)
  return body.secret
}

const connect = (tenantId: string, clientId: string) =>
  server.database.transaction({ tenantId }, (db) =>
    connectVendor(db, server.services.secrets, {
      tenantId,
      clientId,
      clientSecret: `secret of ${clientId}`,
      baseUrl: 'http://127.0.0.1:1',
      tokenUrl: 'http://127.0.0.1:1',
    }),
  )

const readSecrets = async (tenantId: string, db: TestDatabase = server) => {
  const credentials = await db.database.transaction({ tenantId }, (rows) =>
    listCredentials(rows, deriveSecrets(NEW), tenantId),
  )
  return Object.fromEntries(credentials.map(({ clientId, clientSecret }) => [clientId, clientSecret]))
}

const readSealed = () =>
  server.database.transaction({ tenantId: 'a' }, (db) =>
    sql`select client_secret from vendor_credentials union all
        select sealed_body from messages where sealed_body is not null order by 1`.execute(db),
  )

const listDevices = async () => {
  const { rows } = await server.database.transaction({ tenantId: 'a' }, (db) =>
    sql`select known.user_id from known_devices as known
        join users on users.tenant_id = known.tenant_id and users.id = known.user_id
        where users.email = 'ada@mail.example'`.execute(db),
  )
  return rows.length
}

const formatOutput = (counts: Record<string, number>) =>
  [
    ...sealedColumns.map(({ table, column }) => `Re-encrypted in ${table}.${column}: ${counts[table] ?? 0}.`),
    'Editing logs signed with SECRET_KEY: 2 of 2.\n',
  ].join('\n')

test('a new key takes over from the old one, and nothing is lost when the old one is dropped', async () => {
  const { body: session, cookie: device } = await signIn('ada@mail.example')
  const { cookie: challenge } = await signIn('otp@mail.example')
  const secret = await addApp('app@mail.example')
  await connect('a', 'first')
  await connect('a', 'legacy')
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    db
      .updateTable('vendor_credentials')
      .set({ client_secret: Buffer.from(WITHOUT_ID, 'hex') })
      .where('client_id', '=', 'legacy')
      .execute(),
  )
  await server.database.transaction({ tenantId: 'b' }, (db) =>
    db
      .insertInto('messages')
      .values(
        Array.from({ length: MANY }, () => {
          const id = randomUUID()
          const sealed = sealBody(server.services.secrets, 'b', id, { text: 'later', html: null })
          return {
            tenant_id: 'b',
            id,
            channel: 'email',
            recipient: 'bob@mail.example',
            text: '',
            message_id: id,
            sealed_body: sealed,
            due_at: new Date(Date.now() + 30 * 60_000),
          }
        }),
      )
      .execute(),
  )
  const backup = join(folder, 'old.dishboard')
  expect(await run(['backup', backup], [OLD])).toMatchObject({ code: 0 })

  const before = await readSealed()
  const refused = await run(['rotate-key'], [NEW])
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toMatch(/nothing was changed, because neither SECRET_KEY nor SECRET_KEY_PREVIOUS decrypts/)
  expect(refused.err).toContain('vendor_credentials.client_secret of a/first')
  expect(await readSealed()).toEqual(before)
  const faulty = await run(['doctor'], [NEW])
  expect(faulty.out).toMatch(/^FAIL secrets: no key decrypts vendor_credentials\.client_secret of a\/first\. Fix: /m)

  restartWith(NEW, OLD)
  expect(await readProfile(session.access)).toBe('ada@mail.example')
  expect((await signIn('ada@mail.example', device)).cookie).toBe(device)
  expect(await listDevices()).toBe(1)
  await connect('a', 'second')
  expect((await run(['doctor'], [NEW, OLD])).out).toMatch(/^warn secrets: 454 .*rotate-key/m)

  expect(await run(['rotate-key'], [NEW, OLD])).toEqual({
    code: 0,
    out: formatOutput({ vendor_credentials: 2, messages: 451, totp_secrets: 1 }),
    err: '',
  })
  expect((await run(['rotate-key'], [NEW, OLD])).out).toBe(formatOutput({}))

  // The code in the mail was hashed with the old key, and its mail encrypted with it.
  const mailbox = await startMailbox(server, deriveSecrets(NEW))
  try {
    const mail = await mailbox.waitFor('otp@mail.example')
    const otp = /^\s*(\d{6})\s*$/m.exec(mail.part('text/plain') ?? '')?.[1]
    const entered = await post('/api/api/verify-otp/', { email: 'otp@mail.example', otp, tenant: 'a' }, challenge)
    expect(entered.status).toBe(200)
  } finally {
    await mailbox.close()
  }

  restartWith(NEW)
  expect(await readProfile(session.access)).toBeUndefined()
  const { body: refreshed } = await post('/api/token/refresh/', { refresh: session.refresh })
  expect(await readProfile(refreshed.access)).toBe('ada@mail.example')
  expect((await signIn('ada@mail.example', device)).status).toBe(200)
  expect(await listDevices()).toBe(1)
  const { cookie: waitingSignIn } = await signIn('app@mail.example')
  const code = { email: 'app@mail.example', otp: generate(secret, 1) }
  expect((await post('/api/verify-otp/', code, waitingSignIn)).status).toBe(200)
  expect(await readSecrets('a')).toEqual({ first: 'secret of first', legacy: 'the secret', second: 'secret of second' })
  const waiting = await server.database.transaction({ tenantId: 'b' }, (db) =>
    db.selectFrom('messages').select(['id', 'text', 'html', 'sealed_body']).execute(),
  )
  const bodies = waiting.map((message) => openBody(deriveSecrets(NEW), 'b', message)?.text)
  expect(bodies).toEqual(Array.from({ length: MANY }, () => 'later'))
  for (const tenant of ['a', 'b'])
    expect(await run(['audit', 'verify', '--tenant', tenant], [NEW])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Intact: /),
    })

  const restore = await run(['restore', backup], [NEW, OLD], restored)
  expect(restore).toMatchObject({ code: 0, err: '' })
  expect(restore.out).not.toContain('another SECRET_KEY')
  expect(await run(['rotate-key'], [NEW, OLD], restored)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/secret: 2\.\n.*body: 451\.\n/),
  })
  expect(await readSecrets('a', restored)).toEqual({ first: 'secret of first', legacy: 'the secret' })
})
