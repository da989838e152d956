import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addTurns } from '../notifications/testing/fleet.ts'
import type { Db } from '../platform/database/database.ts'
import { recordCoverage } from '../telemetry/coverage.ts'
import { addCredential, addLine } from '../testing/add-line.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

const MINUTE_MS = 60_000
const HOURS = 72
const START = Date.parse('2026-05-01T00:00:00Z')
const at = (minutes: number) => new Date(START + minutes * MINUTE_MS)

const toMinutes = (text: string) => (Date.parse(text) - START) / MINUTE_MS

let server: TestServer
let admin: string

const minute = fc.integer({ min: 1, max: HOURS * 60 - 1 })
const minutes = (most: number) =>
  fc.uniqueArray(minute, { minLength: 2, maxLength: most }).map((all) => all.sort((a, b) => a - b))
const change = fc.record({
  status: fc.constantFrom('online', 'offline', 'no data'),
  disabled: fc.boolean(),
})

/** Deterministic, so that a failure can be reproduced. */
const draw = <T>(values: fc.Arbitrary<T>, count: number) => fc.sample(values, { numRuns: count, seed: 20 })

const addOther = async (db: Db) => {
  const { id } = await db
    .insertInto('vendor_credentials')
    .values({ tenant_id: 'a', base_url: '-', token_url: '-', client_id: 'other', client_secret: Buffer.of(0) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

beforeAll(async () => {
  server = await startTestServer()
  server.clock.now = at(-60)
  await server.addUser('a', { email: 'admin@mail.example', role: 'admin' })
  admin = (await server.signIn('a', 'admin@mail.example')).access
  const inTenant = <T>(work: Parameters<typeof server.database.transaction<T>>[1]) =>
    server.database.transaction({ tenantId: 'a' }, work)
  const credentials = await inTenant(async (db) => [await addCredential(db, 'a'), await addOther(db)])
  const changes = draw(fc.tuple(minutes(40), fc.array(change, { minLength: 40, maxLength: 40 })), 6)
  for (const [index, [times, statuses]] of changes.entries()) {
    const line = { service_line_number: `T${index}`, group_name: `g${index % 3}` }
    const { terminalIds } = await inTenant((db) =>
      addLine(db, 'a', { ...line, credential_id: credentials[index % 2] as number }),
    )
    const [terminalId] = terminalIds
    const turns = times.map((time, turn) => ({
      ...(statuses[turn] as { status: 'online'; disabled: boolean }),
      at: at(time),
    }))
    await addTurns(
      server.database,
      'a',
      turns.map((turn) => ({ ...turn, notedAt: turn.at, terminalId: terminalId as number })),
    )
  }
  for (const [index, credentialId] of credentials.entries()) {
    const bounds = draw(minutes(14), 2)[index] as number[]
    const spans = bounds.flatMap((from, each) => {
      const to = bounds[each + 1]
      return each % 2 === 0 && to !== undefined ? [{ fromMs: at(from).getTime(), toMs: at(to).getTime() }] : []
    })
    await inTenant((db) => recordCoverage(db, { tenantId: 'a', credentialId }, spans))
  }
  const schedule = {
    repeats: 'weekly',
    firstDay: '2026-05-01',
    startMinute: '22:15',
    lengthMinutes: 200,
    days: [5, 6],
    lastDay: null,
  }
  const body = { name: 'Work', target: { kind: 'group', group: 'g0' }, schedule }
  expect((await server.call('a', 'POST', '/api/maintenance-windows/', { token: admin, body })).status).toBe(200)
  server.clock.now = at(HOURS * 60)
  admin = (await server.signIn('a', 'admin@mail.example')).access
})
afterAll(() => server.close())

/** Reads the raw rows and checks every minute. */
const look = async (fromMinute: number, toMinute: number) => {
  const rows = await server.database.transaction({ tenantId: 'a' }, async (db) => ({
    terminals: await db
      .selectFrom('terminals')
      .innerJoin('service_lines as line', 'line.id', 'terminals.service_line_id')
      .select(['terminals.id', 'terminals.credential_id', 'line.nickname', 'line.group_name'])
      .execute(),
    statuses: await db.selectFrom('status_intervals').selectAll().execute(),
    coverage: await db
      .selectFrom('feed_coverage')
      .select((eb) => ['credential_id', eb.cast<string>('observed', 'text').as('observed')])
      .execute(),
  }))
  const isPlanned = (group: string, time: number) =>
    group === 'g0' && [22.25 * 60, 46.25 * 60].some((begin) => time >= begin && time < begin + 200)
  const isObserved = (credentialId: number, time: number) =>
    rows.coverage.some(
      ({ credential_id, observed }) =>
        credential_id === credentialId &&
        [...observed.matchAll(/\["([^"]+)","([^"]+)"\)/g)].some(
          ([, from, to]) => toMinutes(from as string) <= time && time < toMinutes(to as string),
        ),
    )
  return new Map(
    rows.terminals.map(({ id, credential_id, nickname, group_name }) => {
      const own = rows.statuses.filter(({ terminal_id }) => terminal_id === id)
      const sums = { upS: 0, downS: 0, plannedS: 0, notObservedS: 0 }
      for (let time = fromMinute; time < toMinute; time++) {
        const now = own.find(
          ({ started_at, ended_at }) => started_at <= at(time) && (ended_at === null || ended_at > at(time)),
        )
        const kind = !now
          ? 'notObservedS'
          : isPlanned(group_name, time)
            ? 'plannedS'
            : !isObserved(credential_id, time)
              ? 'notObservedS'
              : now.status === 'online' && !now.disabled
                ? 'upS'
                : 'downS'
        sums[kind] += 60
      }
      return [nickname, sums] as const
    }),
  )
}

test.for(['2026-05-01', '2026-05-02', '2026-05-03'])(
  'the figures of %s are those of the raw rows, minute by minute',
  async (day) => {
    const begin = toMinutes(`${day}T00:00:00Z`)
    const expected = await look(begin, begin + 1440)
    const { body } = await server.call('a', 'GET', `/api/availability/?period=day&day=${day}`, { token: admin })
    expect(body.terminals).toHaveLength(6)
    for (const { name, upS, downS, plannedS, notObservedS } of body.terminals)
      expect({ name, upS, downS, plannedS, notObservedS }).toEqual({ name, ...expected.get(name) })
  },
)

test('the figures of all days are those of the raw rows, and the listed times add up to them', async () => {
  const expected = await look(0, HOURS * 60)
  const { body } = await server.call('a', 'GET', '/api/availability/?period=month&day=2026-05-01', { token: admin })
  for (const { name, upS, downS, plannedS, notObservedS, longestS, outages } of body.terminals) {
    expect({ name, upS, downS, plannedS, notObservedS }).toEqual({ name, ...expected.get(name) })
    const path = `/api/availability/terminals/${name}/?period=month&day=2026-05-01&kind=down`
    const { spans } = (await server.call('a', 'GET', path, { token: admin })).body
    const lengths = spans.map(
      ({ from, until }: { from: string; until: string }) => 60 * (toMinutes(until) - toMinutes(from)),
    )
    expect(lengths.reduce((sum: number, each: number) => sum + each, 0)).toBe(downS)
    expect(longestS).toBeGreaterThanOrEqual(Math.max(0, ...lengths))
    expect(outages).toBeLessThanOrEqual(lengths.length)
  }
})
