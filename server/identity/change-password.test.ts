import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  for (const tenant of ['a', 'b']) await server.addUser(tenant)
  await server.addUser('a', { email: 'admin@mail.example', role: 'admin' })
})
afterAll(() => server.close())

const change = (tenant: string, token: string, currentPassword: string, newPassword: string) =>
  server.call(tenant, 'POST', '/api/reset-password/', { token, body: { currentPassword, newPassword } })

test('refuses a common password, the present one and the last four, and accepts an older one', async () => {
  const { access } = await server.signIn('a')
  expect(await change('a', access, PASSWORD, 'Password1!')).toMatchObject({
    status: 400,
    body: { error: 'common_password' },
  })
  const passwords = [PASSWORD, ...[1, 2, 3, 4, 5].map((number) => `Chosen-pass-${number}`)]
  for (const [index, next] of passwords.slice(1).entries())
    expect((await change('a', access, passwords[index] as string, next)).status).toBe(200)
  for (const reused of ['Chosen-pass-5', 'Chosen-pass-1'])
    expect(await change('a', access, 'Chosen-pass-5', reused)).toMatchObject({
      status: 400,
      body: { error: 'reused_password' },
    })
  expect((await change('a', access, 'Chosen-pass-5', PASSWORD)).status).toBe(200)
})

test('whoever does not know the present password learns nothing about the new one', async () => {
  const { access } = await server.signIn('b')
  const responses = [
    await change('b', access, 'Wrong-pass-1', PASSWORD),
    await change('b', access, 'Wrong-pass-1', 'Chosen-pass-1'),
    await change('b', access, 'Wrong-pass-1', 'Password1!'),
  ]
  for (const { status, body } of responses) {
    expect(status).toBe(400)
    expect(body).toEqual(responses[0]?.body)
  }
})

test('an administrator cannot set a common password, one by one or from a file', async () => {
  const { access: token } = await server.signIn('a', 'admin@mail.example')
  const user = { email: 'new@mail.example', username: 'north', customerName: 'N', company: 'C', role: 'user' }
  const common = { status: 400, body: { error: 'common_password' } }
  const create = (initialPassword: string) =>
    server.call('a', 'POST', '/api/create-user/', { token, body: { ...user, initialPassword } })
  expect(await create('Welcome1!')).toMatchObject(common)
  const { body } = await create('Initial-pass-1')
  const update = { ...user, initialPassword: 'Welcome1!' }
  expect(await server.call('a', 'PUT', `/api/update-user/${body.user_id}/`, { token, body: update })).toMatchObject(
    common,
  )
  const csv = `email,username,customerName,company,role,initialPassword
one@mail.example,north,N,C,user,Initial-pass-1
two@mail.example,north,N,C,user,Welcome1!
new@mail.example,north,Changed,C,user,Welcome1!`
  const imported = await server.call('a', 'POST', '/api/import-users/', { token, body: { csv, apply: true } })
  expect(imported.body.applied).toBe(false)
  expect(imported.body.lines.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['create', 'fault', 'change'])
})
