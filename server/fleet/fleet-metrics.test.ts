import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addApiToken } from '../testing/add-api-token.ts'
import { addLine } from '../testing/add-line.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let superuser: pg.Client
const tokens: Record<string, string> = {}

const addTerminal = (tenantId: string, group: string, name: string, status: string) =>
  server.database.transaction({ tenantId }, async (db, client) => {
    const { lineId, terminalIds } = await addLine(db, tenantId, {
      service_line_number: `SL-${name}`,
      nickname: name,
      group_name: group,
      product_name: 'Priority',
      city: 'Nome',
    })
    await client.query(
      `insert into latest (tenant_id, terminal_id, at, downlink_mbps, uplink_mbps, latency_ms, ping_drop, signal_quality)
       values ($1, $2, '2026-11-15T12:00:00Z', 12.5, 1.5, 43, 0.02, 0.9)`,
      [tenantId, terminalIds[0]],
    )
    await client.query(
      `insert into status_intervals (tenant_id, terminal_id, started_at, noted_at, status) values ($1, $2, now(), now(), $3)`,
      [tenantId, terminalIds[0], status],
    )
    await client.query("insert into line_usage values ($1, $2, '2026-11-01', '2026-12-01', 40, 2.5, 0, 0)", [
      tenantId,
      lineId,
    ])
    return lineId
  })

let north: number
beforeAll(async () => {
  server = await startTestServer()
  superuser = await server.connectSuperuser()
  for (const [tenant, name, group, role] of [
    ['a', 'admin', 'staff', 'admin'],
    ['a', 'north', 'north', 'user'],
    ['b', 'other', 'staff', 'admin'],
  ] as const) {
    const userId = await server.addUser(tenant, { email: `${name}@x.example`, username: group, role })
    tokens[name] = (await addApiToken(superuser, tenant, { userId, scopes: ['metrics:read'] })).token
  }
  north = await addTerminal('a', 'north', 'Boat "A\\B"\nNome', 'online')
  await addTerminal('a', 'south', 'South', 'offline')
  await addTerminal('b', 'north', 'Foreign', 'online')
})
afterAll(() => server.close())

const scrape = (name: string, tenant = 'a') =>
  server.call(tenant, 'GET', '/api/fleet-metrics/', { token: tokens[name] as string })

test('writes status, newest values and usage in OpenMetrics, in base units and with escaped names', async () => {
  const { status, headers, body } = await scrape('north')
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
  const lines = (body as string).split('\n')
  const id = `terminal="${north}"`
  expect(lines).toEqual(
    expect.arrayContaining([
      '# TYPE dishboard_terminal info',
      `dishboard_terminal_info{${id},name="Boat \\"A\\\\B\\"\\nNome",service_line="SL-Boat \\"A\\\\B\\"\\nNome",kit="KIT-SL-Boat \\"A\\\\B\\"\\nNome-1",product="Priority",city="Nome",state=""} 1`,
      `dishboard_terminal_status{${id},dishboard_terminal_status="online"} 1`,
      `dishboard_terminal_status{${id},dishboard_terminal_status="no data"} 0`,
      `dishboard_terminal_downlink_bits_per_second{${id}} 12500000`,
      `dishboard_terminal_uplink_bits_per_second{${id}} 1500000`,
      `dishboard_terminal_latency_seconds{${id}} 0.043`,
      `dishboard_terminal_ping_drop_ratio{${id}} 0.02`,
      `dishboard_terminal_signal_quality_ratio{${id}} 0.9`,
      `dishboard_terminal_usage_bytes{${id},class="priority"} 40000000000`,
      `dishboard_terminal_usage_bytes{${id},class="standard"} 2500000000`,
    ]),
  )
  expect(lines.slice(-2)).toEqual(['# EOF', ''])
  // Unknown values have no sample.
  expect(body).not.toContain('dishboard_terminal_obstruction_ratio{')
})

test('shows the terminals of the group, of the tenant, and of no other tenant', async () => {
  expect((await scrape('north')).body).not.toContain('South')
  const all = (await scrape('admin')).body as string
  expect(all).toContain('name="South"')
  expect(all).not.toContain('Foreign')
  expect((await scrape('other', 'b')).body).toContain('name="Foreign"')
  expect((await scrape('other')).status).toBe(401)
  // The last measurement of an offline terminal is not a current value.
  expect(all.match(/dishboard_terminal_latency_seconds\{/g)).toHaveLength(1)
  expect(all.match(/dishboard_terminal_last_seen_timestamp_seconds\{/g)).toHaveLength(2)
})

test('needs its scope', async () => {
  const { rows } = await superuser.query("select id from users where email = 'admin@x.example'")
  const { token } = await addApiToken(superuser, 'a', { userId: rows[0].id, scopes: ['terminals:read'] })
  expect(await server.call('a', 'GET', '/api/fleet-metrics/', { token })).toMatchObject({
    status: 403,
    body: { error: 'token_scope' },
  })
})

test('the dashboard for Grafana names only metrics and labels that are exported, and shows all of them', async () => {
  const text = readFileSync(new URL('../../deploy/grafana/fleet.json', import.meta.url), 'utf8')
  const { panels, templating } = JSON.parse(text) as {
    panels: { title: string; targets: { expr: string }[] }[]
    templating: { list: { query: string | { query: string } }[] }
  }
  expect(panels.filter(({ title, targets }) => title === '' || targets.length === 0)).toEqual([])
  const body = (await scrape('admin')).body as string
  const exported = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) =>
    type === 'info' ? `${name}_info` : (name as string),
  )
  const queries = [
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...templating.list.map(({ query }) => (typeof query === 'string' ? '' : query.query)),
  ]
  const named = new Set(queries.flatMap((query) => query.match(/dishboard_\w+/g) ?? []))
  expect([...named].filter((name) => !exported.includes(name))).toEqual([])
  // When a terminal was last seen is not drawn: its status is.
  expect(exported.filter((name) => !named.has(name))).toEqual(['dishboard_terminal_last_seen_timestamp_seconds'])
  const labels = new Set([...body.matchAll(/[{,](\w+)="/g)].map(([, label]) => label))
  const joined = queries.flatMap((query) =>
    [...query.matchAll(/(?:by|on|group_left) \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', ')),
  )
  expect(joined.filter((label) => !labels.has(label))).toEqual([])
})
