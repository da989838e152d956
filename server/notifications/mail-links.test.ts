import { afterAll, beforeEach, expect, test } from 'vitest'
import { startWithNotifiedUser } from './testing/notified-user.ts'

const DAY_MS = 86_400_000
let path: string

const { server, mailbox, userId, close } = await startWithNotifiedUser()

beforeEach(async () => {
  const mail = await mailbox.waitFor('someone@mail.example')
  path = /https:\/\/a\.example(\/open\/\S+)/.exec(mail.part('text/plain') ?? '')?.[1] as string
})
afterAll(close)

const open = async (url: string, host = 'a.example') => {
  const { statusCode, headers, body } = await server.app.inject({ url, headers: { host } })
  return { status: statusCode, location: headers.location, headers, body }
}

test('a mail links to its terminal by an address that leads there and names the recipient to the sign-in', async () => {
  expect(path).toMatch(/^\/open\/\d+\.\d+\.[\w-]{43}\/terminal\/Nome%201$/)
  const { status, location, headers } = await open(path)
  expect([status, location]).toEqual([303, '/terminal/Nome%201#for=someone%40mail.example'])
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  expect(headers['set-cookie']).toBeUndefined()
})

test('a link that was made up or changed is refused, and shows nothing of the user', async () => {
  const changes = [
    path.replace('Nome%201', 'Nome%202'),
    path.replace('/terminal/', '/incidents/'),
    path.replace('/terminal/', '/profile/'),
    path.replace(/open\/\d+/, `open/${userId + 1}`),
    path.replace(/\.(\d+)\./, (_, day) => `.${Number(day) + 1}.`),
    path.replace(/[\w-](?=\/terminal)/, ''),
    path.replace(/\.[\w-]{43}/, `.${'A'.repeat(43)}`),
    path.replace('Nome%201', '%2F%2Fevil.example'),
  ]
  for (const url of changes) {
    const { status, location, body } = await open(url)
    expect([url, status, location]).toEqual([url, 400, undefined])
    expect(body).not.toContain('someone@mail.example')
  }
  expect((await open(path, 'b.example')).status).toBe(400)
})

test('an old link, and one of a user who is gone, leads to its page without naming anybody', async () => {
  server.clock.now = new Date(Date.now() + 31 * DAY_MS)
  expect(await open(path)).toMatchObject({ status: 303, location: '/terminal/Nome%201' })
  server.clock.now = new Date()
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.deleteFrom('users').where('tenant_id', '=', 'a').where('id', '=', userId).execute(),
  )
  expect(await open(path)).toMatchObject({ status: 303, location: '/terminal/Nome%201' })
})
