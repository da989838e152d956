import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.ts'

const TERMINALS = 2_000
const TERMINALS_PER_GROUP = TERMINALS / 10
const OUTAGES = 100
const YEAR_FROM = '2025-01-01T00:00:00Z'

let server: TestServer
let admin: string
let superuser: pg.Client

/** A year in which each terminal was down for 20 minutes every three and a half days; every tenth has a weekly window. */
beforeAll(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2024-12-31T00:00:00Z')
  await server.addUser('a', { email: 'admin@mail.example', role: 'admin' })
  const signIn = async () => (await server.signIn('a', 'admin@mail.example')).access
  superuser = await server.connectSuperuser()
  await superuser.query(`
    with credential as (
      insert into vendor_credentials (tenant_id, base_url, token_url, client_id, client_secret)
      values ('a', '-', '-', 'client', '\\x00') returning id),
    lines as (
      insert into service_lines (tenant_id, credential_id, service_line_number, nickname, group_name, account_group,
        active, public_ip)
      select 'a', credential.id, 'SL-' || n, 'Terminal ' || n, 'group ' || n % 10, 'Dishboard', true, false
      from credential, generate_series(1, ${TERMINALS}) as n returning id, credential_id)
    insert into terminals (tenant_id, credential_id, service_line_id, device_id, kit_serial)
    select 'a', credential_id, id, 'device-' || id, 'KIT' || id from lines`)
  await superuser.query(`
    insert into feed_coverage
    select 'a', credential.id, day, tstzmultirange(tstzrange(day at time zone 'UTC', (day + 1) at time zone 'UTC'))
    from vendor_credentials as credential,
      (select '2025-01-01'::date + n as day from generate_series(0, 364) as n) as days
    where tenant_id = 'a'`)
  // Each outage and the time after it.
  await superuser.query(`
    insert into status_intervals (tenant_id, terminal_id, started_at, ended_at, status, noted_at)
    select 'a', terminal.id, at + part * interval '20 minutes',
      case when part = 0 then at + interval '20 minutes' when n < ${OUTAGES} then at + interval '84 hours' end,
      case part when 0 then 'offline' else 'online' end, at
    from terminals as terminal, generate_series(1, ${OUTAGES}) as n, generate_series(0, 1) as part,
      lateral (select '${YEAR_FROM}'::timestamptz + (n - 1) * interval '84 hours' + (terminal.id % 500) * interval '7 minutes'
        as at) as begin`)
  await superuser.query('vacuum analyze')
  const token = await signIn()
  const body = {
    name: 'Night work',
    target: { kind: 'group', group: 'group 0' },
    schedule: {
      repeats: 'weekly',
      firstDay: '2025-01-01',
      startMinute: '02:00',
      lengthMinutes: 240,
      days: [3],
      lastDay: null,
    },
  }
  await server.call('a', 'POST', '/api/maintenance-windows/', { token, body })
  server.clock.now = new Date('2026-01-02T00:00:00Z')
  admin = await signIn()
})
afterAll(() => server.close())

const PERIODS = ['year', 'quarter', 'month', 'day']

test('a year of a large fleet is added up', async () => {
  for (const period of PERIODS) {
    const startMs = performance.now()
    const { status, body } = await server.call('a', 'GET', `/api/availability/?period=${period}&day=2025-12-31`, {
      token: admin,
    })
    process.stdout.write(`${TERMINALS} terminals, a ${period}: ${Math.round(performance.now() - startMs)} ms\n`)
    expect(status).toBe(200)
    expect(body.terminalCount).toBe(TERMINALS)
    if (period !== 'year') continue
    const others = body.groups.filter(({ group }: { group: string }) => group !== 'group 0')
    for (const each of others)
      expect(each).toMatchObject({
        outages: TERMINALS_PER_GROUP * OUTAGES,
        downS: TERMINALS_PER_GROUP * OUTAGES * 1200,
      })
    expect(body.groups[0].plannedS).toBeGreaterThan(0)
    expect(body.groups[0].downS).toBeLessThan(TERMINALS_PER_GROUP * OUTAGES * 1200)
  }
})
