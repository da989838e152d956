import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { carriesBody, pathNames, type Route, type RouteTable } from '#contract/route.ts'
import { handlers } from './handlers.ts'
import { pending } from './http.ts'
import { type Caller, callers, expectedAnswers } from './testing/expected-answers.ts'
import { findMarks, type Mark, type MarkedWorld, startMarkedWorld } from './testing/marked-world.ts'

const routes = Object.entries(api as Record<string, RouteTable>).flatMap(([table, calls]) =>
  Object.entries(calls).map(([name, route]): [string, Route] => [`${table}.${name}`, route]),
)

const isPending = (name: string) => {
  const [table, call] = name.split('.') as [string, string]
  return (handlers as Record<string, Record<string, unknown>>)[table]?.[call] === pending
}

/** What each caller may ever be shown; every other mark in an answer is a leak. */
const visible: Record<Caller, Mark[]> = {
  anonymous: [],
  'bad token': [],
  'foreign user': [],
  'foreign admin': [],
  deleted: [],
  neighbour: ['foreign', 'metadata'],
  'other group': ['south', 'metadata'],
  without: ['north'],
  with: ['north', 'metadata'],
  admin: ['north', 'south', 'metadata'],
}

let world: MarkedWorld
let origin: string
const tokens: Partial<Record<Caller, string>> = {}

const signInAll = async () => {
  const { people } = world
  const of: [Caller, { signIn: () => Promise<string> }][] = [
    ['foreign user', people.foreignUser],
    ['foreign admin', people.foreignAdmin],
    ['neighbour', people.foreignAdmin],
    ['other group', people.otherGroup],
    ['without', people.without],
    ['with', people.with],
    ['admin', people.admin],
  ]
  for (const [caller, person] of of) tokens[caller] = await person.signIn()
}

beforeAll(async () => {
  world = await startMarkedWorld()
  tokens['bad token'] = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'
  tokens.deleted = await world.people.deleted.signIn()
  await signInAll()
  const removed = await world.call('a', 'DELETE', `/api/delete-user/${world.people.deleted.id}/`, {
    token: tokens.admin as string,
  })
  expect(removed.status).toBe(200)
  origin = await world.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.close())

const addressOf = (route: Route, input: Record<string, unknown>) => {
  const names = pathNames(route.path)
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)))
  if (carriesBody(route.method)) return { path: `/api${path}`, body: rest }
  const query = new URLSearchParams(rest as Record<string, string>).toString()
  return { path: `/api${path}${query && `?${query}`}`, body: undefined }
}

/** A stream has no end: what it says first is its answer. */
const firstOfStream = async (tenant: string, path: string, token: string | undefined) => {
  const stop = new AbortController()
  const headers = { 'x-tenant': tenant, ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(origin + path, { headers, signal: stop.signal })
  const { value } = (await response.body?.getReader().read()) ?? {}
  stop.abort()
  return { status: response.status, text: Buffer.from(value ?? []).toString() }
}

const callAs = async (caller: Caller, route: Route, input: Record<string, unknown>) => {
  const tenant = caller === 'neighbour' ? 'b' : 'a'
  const token = tokens[caller]
  const { path, body } = addressOf(route, input)
  if (route.media === 'text/event-stream') return firstOfStream(tenant, path, token)
  const answer = await world.call(tenant, route.method, path, { ...(body && { body }), ...(token && { token }) })
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
  return { status: answer.status, text: text + JSON.stringify(answer.headers) }
}

const countEntries = async () =>
  Number((await world.superuser.query("select count(*) from audit_log where tenant_id = 'a'")).rows[0].count)

test('every call of the contract has a row, and no row is without a call', () => {
  expect(Object.keys(expectedAnswers).sort()).toEqual(routes.map(([name]) => name).sort())
})

test('the marks are there to be seen by those who may', async () => {
  const details = routes.find(([name]) => name === 'terminals.details')?.[1] as Route
  expect(findMarks((await callAs('admin', details, {})).text)).toEqual(['north', 'south', 'metadata'])
  expect(findMarks((await callAs('with', details, {})).text)).toEqual(['north', 'metadata'])
  expect(findMarks((await callAs('without', details, {})).text)).toEqual(['north'])
  expect(findMarks((await callAs('neighbour', details, {})).text)).toEqual(['foreign', 'metadata'])
})

describe.each(routes)('%s', (name, route) => {
  const expected = expectedAnswers[name]
  test.each(callers)('answers %s as it must, and shows nothing of others', async (caller) => {
    const input = ((await expected?.input?.(world, caller)) ?? {}) as Record<string, unknown>
    const before = await countEntries()
    const { status, text } = await callAs(caller, route, input)
    const written = (await countEntries()) - before
    const wanted = [expected?.statuses[caller]].flat() as number[]
    // What is not built yet cannot tell whose line it is; but it asks for a session all the same.
    if (isPending(name) && !wanted.includes(401)) wanted.push(501)
    expect(wanted, text).toContain(status)
    expect(findMarks(text).filter((mark) => !visible[caller].includes(mark))).toEqual([])
    if (caller === 'admin') expect(written).toBe(isPending(name) ? 0 : expected?.records)
    if ([401, 403, 404].includes(status)) expect(written).toBe(0)
    if (name === 'identity.logout') await signInAll()
  })
})

test('an unknown line and one of others answer the same, word for word', async () => {
  for (const [name, route] of routes.filter(([, { path }]) => /:(nickname|kitnumber)/.test(path))) {
    if (isPending(name)) continue
    const input = (await expectedAnswers[name]?.input?.(world, 'with')) as Record<string, unknown>
    const key = pathNames(route.path).find((each) => each === 'nickname' || each === 'kitnumber') as string
    const answers = []
    for (const line of [world.lines.south.line, world.lines.foreign.line, 'no such line']) {
      const { status, text } = await callAs('with', route, { ...input, [key]: line })
      answers.push({ status, body: text.slice(0, text.lastIndexOf('}{') + 1) })
    }
    expect(answers, name).toEqual(Array(3).fill({ ...answers[2], status: 403 }))
  }
})
