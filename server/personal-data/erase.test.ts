import { afterAll, beforeAll, expect, test } from 'vitest'
import { isWriting, type Route } from '#contract/route.ts'
import { exportChain } from '../audit/export.ts'
import { verifyExport } from '../audit/verify-export.ts'
import { escapeHtml } from '../messages/escape-html.ts'
import { buildRequest, everyCall } from '../testing/access-walk.ts'
import { expectedResponses } from '../testing/expected-responses.ts'
import { type SeededTenants, startSeededTenants } from '../testing/seeded-tenants.ts'
import { PASSWORD } from '../testing/server.ts'

let tenants: SeededTenants
let admin: string
beforeAll(async () => {
  tenants = await startSeededTenants()
  admin = await tenants.users.admin.signIn()
})
afterAll(() => tenants.close())

const PHONE = '+19075550100'

interface Person {
  id: number
  email: string
  formerEmail: string
  name: string
}

const post = (path: string, body: object, token?: string) =>
  tenants.call('a', 'POST', `/api${path}`, { body, ...(token && { token }) })

/** Calls that would end the session in the middle. */
const ENDING = ['identity.logout', 'profile.resetPassword', 'sessions.endOthers']

/** The writing calls, shuffled by the seed, so that their effects are combined in different orders. */
const shuffle = (seed: number): [string, Route][] =>
  everyCall
    .filter(([name, route]) => isWriting(route) && !ENDING.includes(name))
    .map((call, at) => ({ call, place: (at * 7919 + seed * 104_729) % 1_009 }))
    .sort((a, b) => a.place - b.place)
    .map(({ call }) => call)

/** A user who has made every call that a user can make, and whom every administrator's call has affected. */
const leaveTraces = async (seed: number): Promise<Person> => {
  const [formerEmail, email] = [`Gone.Former${seed}@a.example`, `Gone.Present${seed}@a.example`]
  const name = `Robin Goneaway ${seed}`
  const form = { username: 'north', customerName: name, company: `Goneaway ${seed} Inc` }
  const id = await tenants.addUser('a', { email: formerEmail, role: 'admin', ...form })
  const token = (await tenants.signIn('a', formerEmail)).access
  for (const [callName, route] of shuffle(seed)) {
    const input = ((await expectedResponses[callName]?.input?.(tenants, 'admin')) ?? {}) as Record<string, unknown>
    const { path, body } = buildRequest(route, input)
    await tenants.call('a', route.method, path, { token, ...(body && { body }) })
  }
  await post('/change-phone-number/', { phoneNumber: PHONE }, token)
  await post('/send-phone-code/', {}, token)
  await tenants.superuser.query("insert into sms_stops values ('a', $1, now()) on conflict do nothing", [PHONE])
  await post('/user/login/', { email: formerEmail, password: 'Wrong-pass-1' })
  await post('/forgot-password/', { email: formerEmail })
  await post('/create-ticket/', { name, email: formerEmail, message: `${name} needs help, ${PHONE}` })
  await post('/edit-profile/', { customerName: name, company: form.company }, token)
  await post('/admin-notification/', { message: `Hello ${name}`, users: [formerEmail] }, admin)
  await post('/admin-notification/', { message: 'Hello all', users: [formerEmail, tenants.users.with.email] }, admin)
  const changed = await tenants.call('a', 'PUT', `/api/update-user/${id}/`, { token: admin, body: { ...form, email } })
  expect(changed.status).toBe(200)
  await post('/user/login/', { email, password: PASSWORD })
  return { id, email, formerEmail, name }
}

const listTables = async () => {
  const { rows } = await tenants.superuser.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
  )
  return rows.map(({ name }) => name)
}

/** Every table with a row that contains one of the texts in any column. */
const findTables = async (texts: string[]) => {
  const found: string[] = []
  for (const table of await listTables()) {
    const { rows } = await tenants.superuser.query(
      `select t::text as row from ${table} t where t::text ilike any($1)`,
      [texts.map((text) => `%${text}%`)],
    )
    found.push(...rows.map(({ row }) => `${table}: ${row}`))
  }
  return found
}

const readLog = async () => (await tenants.call('a', 'GET', '/api/get-logs/?limit=1000', { token: admin })).body
const readEntries = async () =>
  (await tenants.superuser.query("select * from audit_log where tenant_id = 'a' order by seq")).rows
const exportLog = async () => {
  const lines: string[] = []
  for await (const line of exportChain(tenants.database, 'a', new Date())) lines.push(line)
  return lines
}
const verifyLines = (lines: string[]) =>
  verifyExport(
    (async function* () {
      yield* lines
    })(),
  )

test.each([1, 2, 3])(
  'erasing a person leaves no trace but an intact log, in order %i of their actions',
  async (seed) => {
    const { id, email, formerEmail, name } = await leaveTraces(seed)
    const identifiers = [email, formerEmail, name, `Goneaway ${seed} Inc`, PHONE]
    expect(new Set((await findTables(identifiers)).map((found) => found.split(':')[0])).size).toBeGreaterThan(8)
    const [shownBefore, entriesBefore, exportedBefore] = [await readLog(), await readEntries(), await exportLog()]
    expect(JSON.stringify(shownBefore)).toContain(name)

    const { status, body } = await post(`/erase-user/${id}/`, {}, admin)
    expect({ status, body }).toMatchObject({ status: 200, body: { plainEntries: 0 } })

    expect(await findTables(identifiers)).toEqual([])
    expect((await readEntries()).slice(0, entriesBefore.length)).toEqual(entriesBefore)
    const verified = await tenants.call('a', 'GET', '/api/get-logs/verify/', { token: admin })
    expect(verified.body).toMatchObject({ intact: true, fault: null })
    for (const lines of [exportedBefore, await exportLog()])
      expect(await verifyLines(lines)).toMatchObject({ fault: undefined })

    const [label] = /Erased person \d+/.exec(body.message) ?? []
    const shown = (await readLog()).slice(-shownBefore.length)
    const hasPerson = (entry: object) => identifiers.some((text) => JSON.stringify(entry).includes(text))
    for (const [at, entry] of shownBefore.entries())
      if (!hasPerson(entry)) expect(shown[at]).toEqual(entry)
      else expect(JSON.stringify(shown[at])).toContain(label)
    const theirs = await tenants.call('a', 'GET', `/api/get-logs/?person=${encodeURIComponent(label as string)}`, {
      token: admin,
    })
    expect(theirs.body.length).toBeGreaterThan(5)
    expect((await tenants.call('a', 'GET', '/api/get-logs/choices/', { token: admin })).body.performers).toContain(
      label,
    )
  },
)

test('mentions of a person are erased in text and HTML, and those of others whose address contains theirs are not', async () => {
  const email = "o'neill+{1}@a.example"
  const others = [`jo.${email}`, `${email}.org`, `X_${email}`]
  const id = await tenants.addUser('a', { email, role: 'user' })
  const recipient = tenants.users.with.email
  const message = `Ask ${others.join(', ')} or <${email.toUpperCase()}>, not ${email}.`
  expect((await post('/admin-notification/', { message, users: [recipient] }, admin)).status).toBe(200)
  expect((await post('/confirm-password/', { password: PASSWORD }, admin)).status).toBe(200)
  const erased = await post(`/erase-user/${id}/`, {}, admin)
  expect(erased.status).toBe(200)

  const [label] = /Erased person \d+/.exec(erased.body.message) as RegExpExecArray
  const { rows } = await tenants.superuser.query<{ text: string; html: string }>(
    "select text, html from messages where recipient = $1 and text like '%Ask jo.%'",
    [recipient],
  )
  const expected = `Ask ${others.join(', ')} or <${label}>, not ${label}.`
  expect(rows).toHaveLength(1)
  expect(rows[0]?.text).toContain(expected)
  expect(rows[0]?.html).toContain(escapeHtml(expected))
})

const verifyLog = async () => (await tenants.call('a', 'GET', '/api/get-logs/verify/', { token: admin })).body

test('erasing needs the password again, spares whoever does it and the last administrator, and is recorded', async () => {
  const { id: target, email } = await tenants.addTargetUser()
  const erase = (id: number, token = admin) => post(`/erase-user/${id}/`, {}, token)
  await tenants.superuser.query("update sessions set confirmed_at = 'epoch' where tenant_id = 'a'")
  expect(await erase(target)).toMatchObject({ status: 403, body: { error: 'reauthenticate' } })
  expect((await post('/confirm-password/', { password: PASSWORD }, admin)).status).toBe(200)
  expect((await erase(tenants.users.admin.id)).status).toBe(409)
  expect((await erase(target)).status).toBe(200)
  expect((await post('/user/login/', { email, password: PASSWORD })).status).toBe(401)
  const [entry] = (await tenants.call('a', 'GET', '/api/get-logs/?action=user.erase&limit=1', { token: admin })).body
  expect(entry).toMatchObject({ actionPerformer: tenants.users.admin.email, details: { accounts: 1 } })
  const { rows } = await tenants.superuser.query(
    "select recipient, text from messages where subject like 'The data of a user%'",
  )
  expect(rows.map(({ recipient }) => recipient)).toContain(tenants.users.admin.email)
  expect(JSON.stringify(rows)).not.toContain(email)
})

test('a key that is destroyed or exchanged without an erasure breaks the verification', async () => {
  await tenants.addTargetUser()
  const { rows } = await tenants.superuser.query(
    "select id, key from data_subjects where tenant_id = 'a' and key is not null order by id desc limit 2",
  )
  const [newest, other] = rows
  const set = (key: Buffer | null) =>
    tenants.superuser.query('update data_subjects set key = $2, erased_at = $3 where id = $1', [
      newest.id,
      key,
      key ? null : new Date(),
    ])
  await set(null)
  expect(await verifyLog()).toMatchObject({
    intact: false,
    fault: { problem: expect.stringContaining('no entry says') },
  })
  await set(other.key)
  expect(await verifyLog()).toMatchObject({ intact: false, fault: { problem: expect.stringContaining('was changed') } })
  await set(newest.key)
  expect(await verifyLog()).toMatchObject({ intact: true })
})

test('a name that looks like a pseudonym is shown as it is', async () => {
  const plan_name = 'subject:1:AAAA'
  const pool_details = { plan_name, usage_limit: 500, assigned_service_lines: [] }
  expect((await post('/virtual-plan/', { pool_details }, admin)).status).toBe(200)
  const [entry] = await readLog()
  expect(entry).toMatchObject({ actionType: 'pool.create', actionPerformee: plan_name })
  expect(await verifyLog()).toMatchObject({ intact: true })
})
