import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/process/config.ts'
import { type Stack, startStack } from './stack.ts'

const DAY_MS = 86_400_000

let stack: Stack
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dishboard-demo-'))
  const config = readConfig({ PORT: '0', DATA_DIR: dataDir, DEMO: '1', DEMO_TERMINALS: '40', LOG_LEVEL: 'error' })
  stack = await startStack({ config, log: pino({ level: 'warn' }, pino.destination(2)), hasPast: true })
  await stack.poolsReady
})
afterAll(async () => {
  await stack.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const TENANTS = ['dishboard', 'microcom', 'company3']

const call = async <T>(tenant: string, path: string, options: { body?: object; token?: string } = {}) => {
  const response = await fetch(`${stack.url}/api${path}`, {
    method: options.body ? 'POST' : 'GET',
    headers: {
      'x-tenant': tenant,
      ...(options.body && { 'content-type': 'application/json' }),
      ...(options.token && { authorization: `Bearer ${options.token}` }),
    },
    ...(options.body && { body: JSON.stringify(options.body) }),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as T
}

const signIn = async (tenant: string) =>
  (
    await call<{ access: string }>(tenant, '/user/login/', {
      body: { email: `admin@${tenant}.example`, password: 'Admin-demo-1' },
    })
  ).access

test.for(TENANTS)('the editing log of %s is intact and goes back weeks, in order', async (tenant) => {
  const token = await signIn(tenant)
  expect(await call(tenant, '/get-logs/verify/', { token })).toMatchObject({ intact: true })
  const times = await stack.installation.database.transaction({ tenantId: tenant }, (db) =>
    db.selectFrom('audit_log').select(['at', 'performer']).where('tenant_id', '=', tenant).orderBy('seq').execute(),
  )
  expect(times.map(({ at }) => at.getTime())).toEqual(times.map(({ at }) => at.getTime()).toSorted((a, b) => a - b))
  expect(Date.now() - (times[0]?.at.getTime() ?? 0)).toBeGreaterThan(40 * DAY_MS)
  expect(new Set(times.map(({ performer }) => performer)).size).toBeGreaterThan(3)
})

test.for(TENANTS)(
  'the mail about the editing log of %s covers its past, and some users have a second factor',
  async (tenant) => {
    const token = await signIn(tenant)
    const { rows } = await stack.installation.database.transaction({ tenantId: tenant }, (db) =>
      sql<{ mailed: number; past: number }>`
      select seq::int as mailed, (
        select max(seq)::int from audit_log where tenant_id = ${tenant} and at < now() - interval '1 day') as past
      from audit_heads where tenant_id = ${tenant}`.execute(db),
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.mailed).toBeGreaterThanOrEqual(rows[0]?.past as number)
    const users = await call<{ hasSecondFactor: boolean }[]>(tenant, '/get-users/', { token })
    expect(users.filter(({ hasSecondFactor }) => hasSecondFactor)).toHaveLength(2)
  },
)

test.for(TENANTS)('%s has users who signed in, and named and described lines', async (tenant) => {
  const token = await signIn(tenant)
  const users = await call<{ role: string; lastSignIn: string | null }[]>(tenant, '/get-users/', { token })
  expect(users.filter(({ role }) => role === 'admin')).toHaveLength(2)
  expect(users.filter(({ lastSignIn }) => lastSignIn !== null).length).toBeGreaterThanOrEqual(6)
  const { data } = await call<{ data: { customname: string; nickname: string; metadata1: string | null }[] }>(
    tenant,
    '/terminals/details/',
    { token },
  )
  expect(data.filter(({ customname }) => / - /.test(customname)).length).toBeGreaterThan(1)
  expect(data.filter(({ metadata1 }) => metadata1).length).toBeGreaterThan(3)
})

test.for(TENANTS)('the users of %s come back with the browser that they used before', async (tenant) => {
  const kinds = await stack.installation.database.transaction({ tenantId: tenant }, (db) =>
    db
      .selectFrom('security_events')
      .select('kind')
      .where('tenant_id', '=', tenant)
      .where('address', '=', '198.51.100.24')
      .where('kind', 'in', ['sign_in', 'new_device'])
      .execute(),
  )
  expect(kinds.length).toBeGreaterThan(5)
  expect(kinds.filter(({ kind }) => kind === 'new_device')).toEqual([])
})

test('the pools of the first tenant are between 40 and 95 % but for one, which is over its limit', async () => {
  const { data } = await call<{ data: { current_usage: number; total_limit: number }[] }>(
    'dishboard',
    '/virtual-plan/',
    { token: await signIn('dishboard') },
  )
  const shares = data.map(({ current_usage, total_limit }) => current_usage / total_limit).toSorted((a, b) => a - b)
  expect(shares.length).toBeGreaterThanOrEqual(4)
  expect(shares.at(-1)).toBeGreaterThan(1)
  for (const share of shares.slice(0, -1)) {
    expect(share).toBeGreaterThan(0.4)
    expect(share).toBeLessThan(0.95)
  }
})

test('messages of the past are dated in the past, and the administrator gets notifications', async () => {
  const { rows } = await stack.installation.database.transaction({ tenantId: 'dishboard' }, (db) =>
    sql<{ age_days: number }>`
      select extract(epoch from now() - created_at)::float8 / 86400 as age_days from messages order by created_at`.execute(
      db,
    ),
  )
  expect(rows[0]?.age_days).toBeGreaterThan(20)
  const profile = await call<{ selectedTerminalList: string }>('dishboard', '/user-profile/', {
    token: await signIn('dishboard'),
  })
  expect(profile).toMatchObject({ enableNotification: true, statusChangeNotification: true })
  expect(profile.selectedTerminalList.split(',').length).toBeGreaterThan(10)
})

test.for(TENANTS)('%s knows when its terminals were up and down for 30 days', async (tenantId) => {
  await stack.statusReady
  const { rows } = await stack.installation.database.transaction({ tenantId }, (db) =>
    sql<{ status: string; days: number; outages: number }>`
      select status, extract(epoch from now() - min(started_at))::float8 / 86400 as days, count(*)::int as outages
      from status_intervals where tenant_id = ${tenantId} and status in ('online', 'offline') group by status`.execute(
      db,
    ),
  )
  const byStatus = new Map(rows.map((row) => [row.status, row]))
  expect(byStatus.get('online')?.days).toBeGreaterThan(29)
  expect(byStatus.get('offline')?.days).toBeGreaterThan(20)
  expect(byStatus.get('offline')?.outages).toBeGreaterThan(10)
})

test.for(TENANTS)('the last weekly report of %s has figures and incidents', async (tenantId) => {
  const token = await signIn(tenantId)
  const readNewest = async () => {
    const { reports } = await call<{ reports: { id: string }[] }>(tenantId, '/reports/', { token })
    return reports[0] && (await call(tenantId, `/reports/${reports[0].id}/`, { token }))
  }
  await expect.poll(readNewest).toMatchObject({
    report: { availability: { percent: expect.any(Number) }, incidents: expect.arrayContaining([expect.anything()]) },
  })
})
