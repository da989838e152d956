import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EventKind } from '#contract/events.ts'
import { publishEvents } from '../platform/publish-events.ts'
import { findMarks } from '../testing/marks.ts'
import { type SeededTenants, startSeededTenants } from '../testing/seeded-tenants.ts'
import { purgeEvents } from './purge-events.ts'

let tenants: SeededTenants
let admin: string
let north: string
beforeAll(async () => {
  tenants = await startSeededTenants()
  admin = await tenants.users.admin.signIn()
  north = await tenants.users.with.signIn()
})
afterAll(() => tenants.close())

interface Listed {
  id: string
  kind: EventKind
  name: string
  text: string
  terminal: string | null
}

const list = async (token: string, query: Record<string, string> = {}) => {
  const { status, body } = await tenants.call('a', 'GET', `/api/events/?${new URLSearchParams(query)}`, { token })
  expect(status, JSON.stringify(body)).toBe(200)
  return body as { events: Listed[]; next: string | null }
}

const listAll = async (token: string, query: Record<string, string>) => {
  const found: Listed[] = []
  let before: string | null = null
  do {
    const page = await list(token, { ...query, ...(before !== null && { before }) })
    found.push(...page.events)
    before = page.next
  } while (before !== null)
  return found
}

const alert = (alert: string) => ({
  type: 'terminal.alert_raised' as const,
  at: new Date(),
  subject: { terminalId: terminalId as number, alert },
})

let terminalId: number | undefined
const publish = async (name: string, hold?: Promise<unknown>) => {
  const { rows } = await tenants.superuser.query("select id from terminals where tenant_id = 'a' and device_id = $1", [
    tenants.lines.north.device,
  ])
  terminalId = rows[0].id
  await tenants.database.transaction({ tenantId: 'a' }, async (db) => {
    await publishEvents(db, 'a', [alert(name)])
    await hold
  })
}

test('everybody sees what happened to their own', async () => {
  const all = JSON.stringify(await list(admin))
  expect(findMarks(all).sort()).toEqual(['north', 'south'])
  expect(findMarks(JSON.stringify(await list(north)))).toEqual(['north'])
  expect((await list(north)).events.map(({ kind }) => kind).sort()).toEqual(['alert', 'incident', 'pool', 'status'])
  // Only users who may manage pools see them.
  expect((await list(await tenants.users.without.signIn())).events.map(({ kind }) => kind)).not.toContain('pool')
})

test('lists one kind, and one terminal', async () => {
  expect((await list(admin, { kinds: 'status,alert' })).events.map(({ kind }) => kind).sort()).toEqual([
    'alert',
    'alert',
    'status',
    'status',
  ])
  expect((await list(admin, { kinds: 'status,alert', limit: '3' })).next).not.toBeNull()
  expect((await list(admin, { kinds: 'status,alert', limit: '4' })).next).toBeNull()
  const lineEvents = await list(admin, { terminal: tenants.lines.south.line })
  expect(findMarks(JSON.stringify(lineEvents))).toEqual(['south'])
  expect(lineEvents.events.map(({ kind }) => kind).sort()).toEqual(['alert', 'incident', 'pool', 'status'])
  const other = { terminal: tenants.lines.south.line }
  const refused = await tenants.call('a', 'GET', `/api/events/?${new URLSearchParams(other)}`, { token: north })
  expect(refused.status).toBe(403)
  expect((await tenants.call('a', 'GET', '/api/events/?kinds=moon', { token: north })).status).toBe(400)
  expect((await tenants.call('a', 'GET', '/api/events/?before=moon', { token: north })).status).toBe(400)
})

test('pages hold each event once, whatever is added meanwhile', async () => {
  for (let number = 0; number < 25; number++) await publish(`page_${number}`)
  const first = await list(admin, { kinds: 'alert', limit: '10' })
  await publish('meanwhile')
  const rest = await listAll(admin, { kinds: 'alert', limit: '10', before: first.next as string })
  const texts = [...first.events, ...rest].map(({ text }) => text).filter((text) => text.includes('page_'))
  expect(texts).toEqual(Array.from({ length: 25 }, (_, index) => `Alert: page_${24 - index}`))
  const newer = await list(admin, { after: first.events[0]?.id as string })
  expect(newer.events.map(({ text }) => text)).toEqual(['Alert: meanwhile'])
})

test('whoever has seen an event has seen all that come before it', async () => {
  let release = () => {}
  const held = publish(
    'slow',
    new Promise<void>((resolve) => {
      release = resolve
    }),
  )
  await publish('quick')
  const [newest] = (await list(admin)).events
  expect(newest?.text).toBe('Alert: quick')
  release()
  await held
  const newer = await list(admin, { after: newest?.id as string })
  expect(newer.events.map(({ text }) => text)).toEqual(['Alert: slow'])
})

test('ends at a time of the past', async () => {
  const [newest] = (await list(admin)).events
  const at = new Date(Number(newest?.id.split('-')[0]))
  await publish('later')
  tenants.clock.now = new Date(Date.now() + 60_000)
  expect((await list(admin, { at: at.toISOString() })).events[0]).toEqual(newest)
  const early = new Date(Date.now() - 3_600_000)
  expect((await list(admin, { at: early.toISOString() })).events).toEqual([])
})

test('old events are deleted', async () => {
  const purge = (days: number) =>
    tenants.database.transaction({ tenantId: 'a' }, (db) =>
      purgeEvents(db, 'a', new Date(Date.now() + days * 86_400_000)),
    )
  await purge(89)
  expect((await list(admin)).events.length).toBeGreaterThan(0)
  await purge(91)
  expect((await list(admin)).events).toEqual([])
})
