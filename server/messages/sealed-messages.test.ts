import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deriveSecrets } from '../platform/secrets.ts'
import { purgeExpired } from '../process/purge-expired.ts'
import { type Mailbox, startMailbox } from '../testing/mailbox.ts'
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.addUser('a', { email: 'otp@mail.example', checkOtp: true })
  await server.addUser('b', { email: 'otp@mail.example', checkOtp: true })
  await server.addUser('a', { email: 'admin@mail.example', role: 'admin' })
})
afterAll(() => server.close())

const requestCode = async (tenant = 'a') => {
  const { body } = await server.call(tenant, 'POST', '/api/user/login/', {
    body: { email: 'otp@mail.example', password: PASSWORD },
  })
  expect(body.requires2FA).toBe(true)
}

/** Every message row as text, as in a dump or a backup. */
const dump = async (tenantId = 'a') => {
  const { rows } = await server.database.transaction({ tenantId }, (db) =>
    sql<{ row: string }>`select messages::text as row from messages`.execute(db),
  )
  return rows.map(({ row }) => row).join('\n')
}

const readOutbox = async (tenant: string) =>
  (await server.app.inject({ url: `/outbox?tenant=${tenant}`, headers: { host: 'localhost' } })).body

const findCode = (text: string) => /^\s*(\d{6})\s*$/m.exec(text)?.[1]

test('a queued code is not readable in the database or by an administrator, and arrives', async () => {
  await requestCode()
  const code = findCode(await readOutbox('a')) as string
  expect(code).toMatch(/^\d{6}$/)
  expect(await dump()).not.toContain(code)
  const { access } = await server.signIn('a', 'admin@mail.example')
  const page = await server.call('a', 'GET', '/api/message-deliveries/', { token: access })
  expect(page.body.messages.length).toBeGreaterThan(0)
  expect(JSON.stringify(page.body)).not.toContain(code)

  const post: Mailbox = await startMailbox(server)
  try {
    const mail = await post.waitFor('otp@mail.example')
    expect(findCode(mail.part('text/plain') ?? '')).toBe(code)
    const erased = { state: 'sent', text: '', html: null, sealed_body: null }
    await expect
      .poll(() =>
        server.database.transaction({ tenantId: 'a' }, (db) =>
          db
            .selectFrom('messages')
            .select(['state', 'text', 'html', 'sealed_body'])
            .where('recipient', '=', 'otp@mail.example')
            .execute(),
        ),
      )
      .toEqual([erased])
  } finally {
    await post.close()
  }
})

test('the body of one message does not open in another', async () => {
  await requestCode('a')
  await requestCode('b')
  const [stolen] = await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.selectFrom('messages').select('sealed_body').where('state', '=', 'queued').execute(),
  )
  const before = findCode(await readOutbox('b')) as string
  await server.database.transaction({ tenantId: 'b' }, (db) =>
    db
      .updateTable('messages')
      .set({ sealed_body: stolen?.sealed_body ?? null })
      .execute(),
  )
  expect(before).toMatch(/^\d{6}$/)
  expect(findCode(await readOutbox('b'))).toBeUndefined()
})

test('a mail that the key no longer opens fails, and the others are sent', async () => {
  await requestCode('a')
  const post = await startMailbox(server, deriveSecrets('another key that is long enough'))
  try {
    await expect
      .poll(() =>
        server.database.transaction({ tenantId: 'a' }, (db) =>
          db.selectFrom('messages').select('last_error').where('state', '=', 'failed').execute(),
        ),
      )
      .toContainEqual({ last_error: 'It could not be decrypted: SECRET_KEY has changed.' })
    expect(post.listTo('otp@mail.example')).toEqual([])
  } finally {
    await post.close()
  }
})

test('a body that expired unsent is deleted', async () => {
  await requestCode('a')
  await purgeExpired(
    server.database,
    'a',
    new Date(server.clock.now.getTime() + 11 * 60_000),
    server.services.config.retention,
  )
  const left = await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.selectFrom('messages').select('id').where('sealed_body', 'is not', null).execute(),
  )
  expect(left).toEqual([])
})
