import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeHeartbeat, findLastChangeMs, getHeartbeatState, readHeartbeat } from '#contract/heartbeat.ts'
import { openDatabase } from '../platform/database/database.ts'
import { createTenant } from '../tenants/create-tenant.ts'
import { addCredential, addLine } from '../testing/add-line.ts'
import { createTestDatabase } from '../testing/database.ts'
import type { View } from './fragments.ts'
import { createSnapshot, type Snapshot } from './snapshot.ts'

const view: View = { group: undefined, details: false, metadata: false }
let stored: Awaited<ReturnType<typeof createTestDatabase>>
let now = new Date()
const clock = () => now

const write = (tenantId: string, work: (client: pg.PoolClient) => Promise<unknown>) =>
  stored.database.transaction({ tenantId }, (_, client) => work(client))

beforeAll(async () => {
  stored = await createTestDatabase()
})
afterAll(() => stored.close())

interface Interval {
  from: string
  until?: string
  status?: 'online' | 'offline' | 'no data'
  disabled?: boolean
}

/** A tenant with one line per terminal, whose feed reported something in the given spans. */
const addTenant = async (
  tenantId: string,
  { observed, terminals }: { observed: [string, string][]; terminals: Interval[][] },
) => {
  const owner = openDatabase(stored.owner, () => {})
  await owner.transaction({ tenantId }, (db) =>
    createTenant(db, { performer: 'test', now }, { id: tenantId, hosts: [`${tenantId}.example`], config: {} }),
  )
  await owner.close()
  return stored.database.transaction({ tenantId }, async (db, client) => {
    const credentialId = await addCredential(db, tenantId)
    await observe(client, tenantId, credentialId, observed)
    const added: { lineId: number; terminalId: number }[] = []
    for (const [index, intervals] of terminals.entries()) {
      const { lineId, terminalIds } = await addLine(db, tenantId, { service_line_number: `L${index}`, group_name: 'g' })
      const terminalId = terminalIds[0] as number
      for (const interval of intervals) await addInterval(client, tenantId, terminalId, interval)
      added.push({ lineId, terminalId })
    }
    return { credentialId, added }
  })
}

const observe = async (client: pg.PoolClient, tenantId: string, credentialId: number, spans: [string, string][]) => {
  for (const [from, until] of spans)
    await client.query(
      `insert into feed_coverage as known (tenant_id, credential_id, day, observed)
       values ($1, $2, ($3::timestamptz at time zone 'UTC')::date, tstzmultirange(tstzrange($3, $4)))
       on conflict (tenant_id, credential_id, day) do update set observed = known.observed + excluded.observed`,
      [tenantId, credentialId, from, until],
    )
}

const addInterval = (client: pg.PoolClient, tenantId: string, terminalId: number, interval: Interval) =>
  client.query(
    `insert into status_intervals (tenant_id, terminal_id, started_at, ended_at, status, disabled, noted_at)
     values ($1, $2, $3, $4, $5, $6, $3)`,
    [
      tenantId,
      terminalId,
      interval.from,
      interval.until ?? null,
      interval.status ?? 'online',
      interval.disabled ?? false,
    ],
  )

const readList = (snapshot: Snapshot) => {
  const { data, halfHour } = JSON.parse(String(snapshot.body(view)))
  const texts: (string | null)[] = data.map(({ h }: { h: string | null }) => h)
  return { halfHour: halfHour as number, texts, words: texts.map((text) => text && describeHeartbeat(text, halfHour)) }
}

// Two UTC days, because coverage is stored per day.
const whole: [string, string][] = [
  ['2026-11-14T00:00:00Z', '2026-11-15T00:00:00Z'],
  ['2026-11-15T00:00:00Z', '2026-11-15T12:05:00Z'],
]

test('draws what was up, down for all or some of a half hour, unknown and not observed', async () => {
  now = new Date('2026-11-15T12:05:00Z')
  await addTenant('kinds', {
    observed: [
      ['2026-11-14T00:00:00Z', '2026-11-15T00:00:00Z'],
      ['2026-11-15T00:00:00Z', '2026-11-15T08:00:00Z'],
      ['2026-11-15T09:00:00Z', '2026-11-15T12:05:00Z'],
    ],
    terminals: [
      [{ from: '2026-11-01T00:00:00Z' }],
      [
        { from: '2026-11-01T00:00:00Z', until: '2026-11-15T02:00:00Z' },
        { from: '2026-11-15T02:00:00Z', until: '2026-11-15T04:35:00Z', status: 'offline' },
        { from: '2026-11-15T04:35:00Z' },
      ],
      [{ from: '2026-11-15T11:00:00Z' }],
      [
        { from: '2026-11-01T00:00:00Z', until: '2026-11-15T12:03:00Z' },
        { from: '2026-11-15T12:03:00Z', disabled: true },
      ],
      [],
    ],
  })
  const snapshot = createSnapshot(stored.database, 'kinds', { now: clock })
  await snapshot.refresh('all')
  const { words, texts, halfHour } = readList(snapshot)
  expect(words).toEqual([
    '24 hours: 1 h not observed',
    '24 hours: 2 h 30 min down, down at times in 1 half hour, 1 h not observed',
    '24 hours: 22 h 30 min not observed',
    '24 hours: 30 min down, 1 h not observed',
    null,
  ])
  expect(new Date(findLastChangeMs(texts[1] as string, halfHour) as number)).toEqual(new Date('2026-11-15T04:35:00Z'))
  expect(new Date(findLastChangeMs(texts[3] as string, halfHour) as number)).toEqual(new Date('2026-11-15T12:03:00Z'))
})

test('a terminal that goes down or comes back is redrawn, and no other', async () => {
  now = new Date('2026-11-15T12:05:00Z')
  const { added } = await addTenant('edges', {
    observed: whole,
    terminals: [[{ from: '2026-11-01T00:00:00Z' }], [{ from: '2026-11-01T00:00:00Z' }]],
  })
  const snapshot = createSnapshot(stored.database, 'edges', { now: clock })
  await snapshot.refresh('all')
  const [first] = added as [{ lineId: number; terminalId: number }]
  const change = async (at: string, status: 'online' | 'offline') => {
    const since = snapshot.revision(view)
    await write('edges', async (client) => {
      await client.query('update status_intervals set ended_at = $2 where terminal_id = $1 and ended_at is null', [
        first.terminalId,
        at,
      ])
      await addInterval(client, 'edges', first.terminalId, { from: at, status })
    })
    await snapshot.refresh(added.map(({ lineId }) => lineId))
    const changed = snapshot.deltaSince(view, since)?.changes.map((text) => JSON.parse(text))
    expect(changed).toMatchObject([{ id: String(first.lineId), status, h: expect.any(String) }])
    return readList(snapshot).words[0]
  }
  // Silence is detected later than it started.
  expect(await change('2026-11-15T11:40:00Z', 'offline')).toBe('24 hours: 1 h down')
  expect(await change('2026-11-15T12:04:00Z', 'online')).toBe('24 hours: 30 min down, down at times in 1 half hour')
})

test('the next half hour is a change of the list, and of those terminals only that look different in it', async () => {
  now = new Date('2026-11-15T12:29:59Z')
  const { credentialId, added } = await addTenant('rolls', {
    observed: whole,
    terminals: [
      [{ from: '2026-11-01T00:00:00Z' }],
      [
        { from: '2026-11-01T00:00:00Z', until: '2026-11-14T12:35:00Z' },
        { from: '2026-11-14T12:35:00Z', until: '2026-11-14T13:00:00Z', status: 'offline' },
        { from: '2026-11-14T13:00:00Z' },
      ],
    ],
  })
  await write('rolls', (client) =>
    observe(client, 'rolls', credentialId, [['2026-11-15T12:05:00Z', '2026-11-15T12:40:00Z']]),
  )
  const snapshot = createSnapshot(stored.database, 'rolls', { now: clock })
  await snapshot.refresh('all')
  const [before, since] = [readList(snapshot), snapshot.revision({ group: 'g' })]
  expect(before.words).toEqual(['24 hours: up', '24 hours: 30 min down'])
  await snapshot.refresh([])
  expect(snapshot.revision({ group: 'g' })).toBe(since)

  now = new Date('2026-11-15T12:30:01Z')
  expect(await snapshot.refresh([])).toBe(true)
  const after = readList(snapshot)
  expect(after).toEqual({
    halfHour: before.halfHour + 1,
    texts: [before.texts[0], before.texts[0]],
    words: ['24 hours: up', '24 hours: up'],
  })
  expect(snapshot.revision({ group: 'g' })).not.toBe(since)
  expect(snapshot.deltaSince({ ...view, group: 'g' }, since)?.changes.map((text) => JSON.parse(text).id)).toEqual([
    String(added[1]?.lineId),
  ])
})

test('what a feed observed is drawn as soon as it is known, and a feed that falls silent is not called up', async () => {
  now = new Date('2026-11-15T12:05:00Z')
  const { credentialId } = await addTenant('late', {
    observed: [
      ['2026-11-14T00:00:00Z', '2026-11-15T00:00:00Z'],
      ['2026-11-15T00:00:00Z', '2026-11-15T11:00:00Z'],
    ],
    terminals: [[{ from: '2026-11-01T00:00:00Z' }]],
  })
  const snapshot = createSnapshot(stored.database, 'late', { now: clock })
  await snapshot.refresh('all')
  const { halfHour, texts, words } = readList(snapshot)
  expect(words).toEqual(['24 hours: 1 h 30 min not observed'])
  expect(getHeartbeatState(texts[0] as string, halfHour)).toBe('not observed')
  await write('late', (client) =>
    observe(client, 'late', credentialId, [['2026-11-15T11:00:00Z', '2026-11-15T12:06:00Z']]),
  )
  now = new Date('2026-11-15T12:06:00Z')
  expect(await snapshot.refresh([])).toBe(true)
  const late = readList(snapshot)
  expect(readHeartbeat(late.texts[0] as string, late.halfHour)).toEqual(new Array(48).fill('up'))
})
