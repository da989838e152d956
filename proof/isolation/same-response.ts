import { Agent, request } from 'node:http'
import { pathNames, type Route } from '#contract/route.ts'
import { buildRequest, everyCall } from '#server/testing/access-walk.ts'
import { addApiToken } from '#server/testing/add-api-token.ts'
import { expectedResponses } from '#server/testing/expected-responses.ts'
import type { SeededTenants } from '#server/testing/seeded-tenants.ts'
import { chanceAbove, median } from '../statistics.ts'

/** Ids for a path: one of another tenant, and one that does not exist. */
const listIds = async (
  seeded: SeededTenants,
  name: string,
): Promise<{ foreign: unknown[]; unknown: unknown[] } | undefined> => {
  const { south, foreign } = seeded.lines
  switch (name) {
    case 'nickname':
    case 'kitnumber':
      return { foreign: [foreign.line, south.line], unknown: ['MARKNOWHERE', 'MARKNOONE'] }
    case 'virtual_plan_id':
      return { foreign: [foreign.pool, south.pool], unknown: [foreign.pool + 900_000, south.pool + 900_000] }
    case 'user_id':
      return { foreign: [seeded.users.foreignUser.id], unknown: [seeded.users.foreignUser.id + 900_000] }
    case 'sessionId': {
      const { rows } = await seeded.superuser.query("select id from sessions where tenant_id = 'b' limit 1")
      return { foreign: [rows[0].id], unknown: ['00000000-0000-4000-8000-000000000000'] }
    }
    case 'passkeyId': {
      const { rows } = await seeded.superuser.query(
        `insert into passkeys (tenant_id, user_id, name, host, credential_id, public_key, counter, transports, created_at)
         values ('b', $1, 'Laptop', 'b.example', gen_random_uuid()::text::bytea, '\\x00', 0, '{}', now()) returning id`,
        [seeded.users.foreignUser.id],
      )
      return { foreign: [rows[0].id], unknown: ['00000000-0000-4000-8000-000000000000'] }
    }
    case 'tokenId': {
      const { id } = await addApiToken(seeded.superuser, 'b', { userId: seeded.users.foreignUser.id })
      return { foreign: [id], unknown: ['00000000-0000-4000-8000-000000000000'] }
    }
    default:
      return undefined
  }
}

const timedCall = (origin: string, agent: Agent, token: string, route: Route, input: Record<string, unknown>) =>
  new Promise<{ ms: number; text: string }>((resolve, reject) => {
    const { path, body } = buildRequest(route, input)
    const start = performance.now()
    const headers = {
      'x-tenant': 'a',
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    }
    const call = request(origin + path, { agent, method: route.method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.on('end', () => resolve({ ms: performance.now() - start, text: `${response.statusCode} ${text}` }))
      response.on('error', reject)
    })
    call.on('error', reject)
    call.end(body && JSON.stringify(body))
  })

const shuffled = <T>(items: T[]) =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item)

/** Requests foreign and unknown ids many times, in random order. */
export const compareResponses = async (seeded: SeededTenants, origin: string, rounds: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const byUser = { user: await seeded.users.with.signIn(), admin: await seeded.users.admin.signIn() }
  const compared = []
  for (const [name, route] of everyCall) {
    const key = pathNames(route.path).find((each) =>
      ['nickname', 'kitnumber', 'virtual_plan_id', 'user_id', 'sessionId', 'tokenId'].includes(each),
    )
    const ids = key && (await listIds(seeded, key))
    if (!key || !ids) continue
    const input = ((await expectedResponses[name]?.input?.(seeded, 'with')) ?? {}) as Record<string, unknown>
    const token = route.access === 'admin' ? byUser.admin : byUser.user
    const times = { foreign: [] as number[], unknown: [] as number[] }
    const responses = new Set<string>()
    const send = async (kind: 'foreign' | 'unknown', id: unknown, counts: boolean) => {
      const { ms, text } = await timedCall(origin, agent, token, route, { ...input, [key]: id })
      responses.add(text)
      if (counts) times[kind].push(ms)
    }
    const requests = (['foreign', 'unknown'] as const).flatMap((kind) =>
      ids[kind].flatMap((id) => Array.from({ length: rounds / ids[kind].length }, () => ({ kind, id }))),
    )
    // The first requests are slower for both: query plans, and code that is not compiled yet.
    for (const { kind, id } of shuffled(requests).slice(0, 6)) await send(kind, id, false)
    for (const { kind, id } of shuffled(requests)) await send(kind, id, true)
    const medians = [median(times.foreign), median(times.unknown)]
    compared.push({
      name,
      responses: [...responses],
      ratio: Math.max(...medians) / Math.min(...medians),
      chance: Math.abs(chanceAbove(times.foreign, times.unknown) - 0.5) + 0.5,
    })
  }
  agent.destroy()
  return compared
}
