import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatCsvRow } from '#contract/csv.ts'
import { runOnce } from '../testing/database.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { readCsv } from './read-csv.ts'

describe('a CSV file', () => {
  const cells = (file: string) => readCsv(file).map((row) => row.cells)

  test('is read as RFC 4180 has it, from any system', () => {
    expect(cells('a,b\r\n"x, ""y""\nz",2')).toEqual([
      ['a', 'b'],
      ['x, "y"\nz', '2'],
    ])
    expect(cells('\uFEFFa,b\n1,2\n')).toEqual(cells('a,b\r1,2\r'))
  })

  test('of a spreadsheet that writes semicolons is read too', () => {
    expect(cells('a;b\n1,5;2')).toEqual([
      ['a', 'b'],
      ['1,5', '2'],
    ])
  })

  test('reports the line on which a row begins, whatever precedes it', () => {
    expect(readCsv('a\r\n"1\r\n2"\r\n\r\n3').map(({ line }) => line)).toEqual([1, 2, 5])
  })

  test('that we wrote reads as what was written', () => {
    const cell = fc.string().filter((text) => text.trim() !== '' && !/^[=+\-@\t\r\n]/.test(text))
    const rows = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1 })
    fc.assert(
      fc.property(rows, (written) => {
        const file = [['one', 'two', 'three'], ...written].map(formatCsvRow).join('')
        expect(cells(file).slice(1)).toEqual(written)
      }),
    )
  })
})

let server: TestServer
let token: string

beforeAll(async () => {
  server = await startTestServer()
  await server.addUser('a', { email: 'ada@a.example', role: 'admin', username: 'staff', customerName: 'Ada' })
  await server.addUser('a', { email: 'bob@a.example', username: 'north', customerName: 'Bob' })
  token = (await server.signIn('a', 'ada@a.example')).access
})
afterAll(() => server.close())

const send = (csv: string, more: object = {}) =>
  server.call('a', 'POST', '/api/import-users/', { token, body: { csv, ...more } })
const HEADER = 'email,GroupID,Customer Name,company,role,initialPassword\n'
const users = async () =>
  (await server.call('a', 'GET', '/api/get-users/', { token })).body.map(
    (user: Record<string, string>) => `${user.email} ${user.role} ${user.username} ${user.customerName}`,
  )
const entries = async () => (await server.call('a', 'GET', '/api/get-logs/?limit=1000', { token })).body

const good = `${HEADER}cleo@a.example,south,Cleo,Company,user,Initial-pass-1
BOB@a.example,south,Robert,Company,user,
ada@a.example,staff,Ada,Company,Admin,Ignored-pass-1
`

describe('a dry run', () => {
  test('previews the outcome of each line and changes nothing', async () => {
    const before = [await users(), await entries()]
    const { status, body } = await send(good)
    expect(status).toBe(200)
    expect(body).toEqual({
      applied: false,
      plan: expect.stringMatching(/^[0-9a-f]{64}$/),
      lines: [
        { line: 2, email: 'cleo@a.example', outcome: 'create', text: 'New user in group south.' },
        {
          line: 3,
          email: 'BOB@a.example',
          outcome: 'change',
          text: 'username: north → south, customerName: Bob → Robert.',
        },
        { line: 4, email: 'ada@a.example', outcome: 'none', text: 'Nothing to change.' },
      ],
    })
    expect([await users(), await entries()]).toEqual(before)
    expect(JSON.stringify(body)).not.toContain('pass-1')
  })

  test.each([
    ['nobody,north,N,C,user,Initial-pass-1', 'email: Please enter a valid email address.'],
    ['new@a.example,,N,C,user,Initial-pass-1', 'username: This field is required.'],
    ['new@a.example,north,N,C,owner,Initial-pass-1', 'role: Please choose one of: admin, user.'],
    ['new@a.example,north,N,C,user,', 'initialPassword: a new user needs one.'],
    [
      'new@a.example,north,N,C,user,short',
      'initialPassword: New password must contain at least one capital letter, one number, one special character and be at least 8 characters long.',
    ],
    ['new@a.example,north,N,C,user,Initial-pass-1,more', 'There are more cells than headings.'],
    ['ada@a.example,staff,Ada,Company,user,', 'The last administrator cannot be deleted or demoted.'],
  ])('names the fault of %s', async (line, text) => {
    const { body } = await send(`${HEADER}fine@a.example,north,Fine,Company,user,Initial-pass-1\n${line}\n`)
    expect(body.lines[0]).toMatchObject({ line: 2, outcome: 'create' })
    expect(body.lines[1]).toMatchObject({ line: 3, outcome: 'fault', text })
  })

  test('finds the same address twice', async () => {
    const line = 'new@a.example,north,N,C,user,Initial-pass-1\n'
    const { body } = await send(HEADER + line + line.replace('new@', 'NEW@'))
    expect(body.lines[1]).toMatchObject({ outcome: 'fault', text: 'The same email address stands on line 2.' })
  })

  test.each([
    ['', 'The file is empty.'],
    [HEADER, 'The file contains no users, only headings.'],
    [`${HEADER}"ada@a.example,north`, 'Line 2: a quotation mark is opened and never closed.'],
    ['email,shoe size\na,b', "Line 1: there is no column 'shoe size'."],
    ['email,group,name,company\na,b,c,d', "Line 1: the column 'role' is missing."],
    ['email,group,name,company,role,E_Mail\na,b,c,d,e,f', "Line 1: the column 'email' is there twice."],
  ])('refuses %j as a whole', async (csv, message) => {
    const { status, body } = await send(csv)
    expect([status, body.message]).toEqual([400, message])
  })
})

describe('an import', () => {
  test('with one fault does nothing at all', async () => {
    const before = [await users(), await entries()]
    const { body } = await send(`${good}nobody,x,y,z,user,`, { apply: true })
    expect(body.applied).toBe(false)
    expect([await users(), await entries()]).toEqual(before)
  })

  test('does what the dry run showed, and records each user once', async () => {
    const before = await entries()
    const { plan } = (await send(good)).body
    const { body } = await send(good, { apply: true, plan })
    expect(body).toMatchObject({ applied: true, plan })
    expect(await users()).toEqual([
      'ada@a.example admin staff Ada',
      'bob@a.example user south Robert',
      'cleo@a.example user south Cleo',
    ])
    const recorded = (await entries()).slice(0, -before.length)
    expect(recorded.map(({ actionType }: { actionType: string }) => actionType)).toEqual(['user.update', 'user.create'])
    expect(JSON.stringify(recorded)).not.toContain('pass-1')
    const signedIn = await server.call('a', 'POST', '/api/user/login/', {
      body: { email: 'cleo@a.example', password: 'Initial-pass-1' },
    })
    expect(signedIn.body).toMatchObject({ newUser: true })
  })

  test('a second time finds nothing to do', async () => {
    const before = await entries()
    const { body } = await send(good, { apply: true })
    expect(body.lines.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['none', 'none', 'none'])
    expect(await entries()).toEqual(before)
  })

  test('of a plan that no longer holds is refused', async () => {
    const csv = `${HEADER}dora@a.example,south,Dora,Company,user,Initial-pass-1\n`
    const { plan } = (await send(csv)).body
    await server.addUser('a', { email: 'dora@a.example' })
    expect((await send(csv, { apply: true, plan })).status).toBe(409)
  })

  test('cannot demote the only administrator who can sign in without the provider', async () => {
    await server.addUser('a', { email: 'grace@a.example', role: 'admin' })
    await runOnce(
      server.superuser,
      `update users set is_break_glass = true where email = 'ada@a.example';
       insert into sso_connections
       values ('a', 'https://sso.example', 'client', '\\x00', 'openid', 'SSO', true, true, '[]', 60, 60, now())`,
    )
    const csv = `${HEADER}ada@a.example,staff,Ada,Company,user,\n`
    expect((await send(csv, { apply: true })).status).toBe(409)
    expect(await users()).toContain('ada@a.example admin staff Ada')
    await runOnce(server.superuser, "delete from sso_connections; delete from users where email = 'grace@a.example'")
  })

  test('may hand the last administration over in one file', async () => {
    const csv = `${HEADER}ada@a.example,staff,Ada,Company,user,
eve@a.example,staff,Eve,Company,admin,Initial-pass-1\n`
    expect((await send(csv, { apply: true })).body.applied).toBe(true)
    expect((await send(csv)).status).toBe(403)
  })
})
