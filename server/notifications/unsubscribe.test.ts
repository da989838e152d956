import { afterAll, beforeEach, expect, test } from 'vitest'
import { queueBrandedMail } from '../messages/queue-branded-mail.ts'
import { setPreferences } from './testing/fleet.ts'
import { startWithNotifiedUser } from './testing/notified-user.ts'

let header: string
let path: string

const { server, mailbox, userId, close } = await startWithNotifiedUser()

const isOn = async () =>
  (
    await server.database.transaction({ tenantId: 'a' }, (db) =>
      db.selectFrom('notification_settings').select('by_email').where('user_id', '=', userId).executeTakeFirst(),
    )
  )?.by_email

beforeEach(async () => {
  const mail = await mailbox.waitFor('someone@mail.example')
  header = mail.header('List-Unsubscribe') as string
  path = header.slice('<https://a.example'.length, -1)
  await setPreferences(server.database, 'a', userId, { by_email: true })
})
afterAll(close)

const post = (tenant: string, url: string) =>
  server.app.inject({
    method: 'POST',
    url,
    payload: 'List-Unsubscribe=One-Click',
    headers: { host: `${tenant}.example`, 'content-type': 'application/x-www-form-urlencoded' },
  })

test('a notification has the headers of a list and a link to the terminal; other mails do not', async () => {
  const mail = mailbox.listTo('someone@mail.example')[0]
  expect(header).toMatch(/^<https:\/\/a\.example\/unsubscribe\?token=\d+\.[\w-]{43}>$/)
  expect(mail?.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
  expect(mail?.header('List-Id')).toBe('<notifications.a.example>')
  expect(mail?.part('text/plain')).toMatch(/https:\/\/a\.example\/open\/\S+\/terminal\/Nome%201/)
  expect(mail?.part('text/html')).toContain('prefers-color-scheme:dark')
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    queueBrandedMail(db, 'a', ['other@mail.example'], () => ({ subject: 'Your password was changed', paragraphs: [] })),
  )
  const security = await mailbox.waitFor('other@mail.example')
  for (const name of ['List-Unsubscribe', 'List-Unsubscribe-Post', 'List-Id'])
    expect(security.header(name)).toBeUndefined()
})

test('following the link changes nothing; one POST without a session turns notifications off, a second one changes nothing more', async () => {
  const shown = await server.app.inject({ url: path, headers: { host: 'a.example' } })
  expect([shown.statusCode, await isOn()]).toEqual([200, true])
  expect(shown.body).toContain('<form method="post"><button>Turn off</button></form>')
  const countEntries = async () =>
    (await server.database.transaction({ tenantId: 'a' }, (db) => db.selectFrom('audit_log').select('seq').execute()))
      .length
  const before = await countEntries()
  expect((await post('a', path)).statusCode).toBe(200)
  expect(await isOn()).toBe(false)
  expect((await post('a', path)).statusCode).toBe(200)
  expect((await countEntries()) - before).toBe(1)
})

test('a link is for one user of one tenant, and cannot be made up', async () => {
  const other = path.replace(/token=\d+/, `token=${userId + 1}`)
  const changed = path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  for (const [tenant, url] of [
    ['a', other],
    ['a', '/unsubscribe'],
    ['a', `${path}x`],
    ['b', path],
  ] as const)
    expect([tenant, url, (await post(tenant, url)).statusCode]).toEqual([tenant, url, 400])
  expect((await post('a', changed.replace(/\.[\w-]/, '.-'))).statusCode).toBe(400)
  expect(await isOn()).toBe(true)
})
