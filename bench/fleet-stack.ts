import { pino } from 'pino'
import { createFleet } from '#server/fleet/fleet.ts'
import { createUser } from '#server/identity/create-user.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { listenToDatabase } from '#server/platform/database/listen.ts'
import { deriveSecrets } from '#server/platform/secrets.ts'
import { createApp } from '#server/process/app.ts'
import { readConfig } from '#server/process/config.ts'
import { createTenant } from '#server/tenants/create-tenant.ts'
import type { Connections } from './database.ts'

const PASSWORD = 'Bench-pass-1'
const by = { performer: 'bench', now: new Date() }

// Generated in SQL, so that 100,000 rows per table take seconds. Names, locations, status and alerts are plausible:
// every tenth terminal is offline, every fiftieth is disabled and every twentieth has an alert.
const FLEET = `
  with credential as (
    insert into vendor_credentials (tenant_id, base_url, token_url, client_id, client_secret)
    values ($1, 'http://127.0.0.1/', 'http://127.0.0.1/', $1, '\\x00') returning id),
  line as (
    insert into service_lines (tenant_id, credential_id, service_line_number, nickname, custom_name, group_name,
      account_group, active, public_ip, product_name, is_mobile, street, city, state, latitude, longitude, metadata1)
    select $1, credential.id, 'SL-' || (100000 + n) || '-' || (n * 7919 % 99999), 'line-' || n,
      (array['Nome School', 'Bethel Clinic', 'Kodiak Harbor', 'Adak Cabin', 'Sitka Lodge'])[1 + n % 5] || ' ' || n,
      case n % 2 when 0 then 'north' else 'south' end, 'Dishboard', true, false, 'Local Priority 50 GB', n % 10 = 3,
      n % 900 || ' Front Street', (array['Nome', 'Bethel', 'Kodiak', 'Adak', 'Sitka'])[1 + n % 5], 'AK',
      51 + (n * 7919 % 20011) / 1000.0, -179 + (n * 104729 % 49999) / 1000.0, case when n % 4 = 0 then 'Dock ' || n end
    from credential, generate_series(1::bigint, $2::bigint) as n
    returning id, credential_id, service_line_number),
  terminal as (
    insert into terminals (tenant_id, credential_id, service_line_id, device_id, kit_serial)
    select $1, credential_id, id, '01000000-00000000-' || id, 'KIT' || (300000000 + id) from line
    returning id, service_line_id)
  select terminal.id, terminal.service_line_id from terminal`

const STATES = [
  `insert into latest (tenant_id, terminal_id, at, alerts, latency_ms, ping_drop, obstruction, uplink_mbps, downlink_mbps)
   select $1, id, now(), case when id % 50 = 0 then '{disabled_no_active_account}' when id % 20 = 0 then '{mast_not_vertical}'
     else '{}' end::text[], 20 + id % 600 / 10.0, id % 100 / 10000.0, id % 70 / 10000.0, id % 200 / 10.0, id % 2500 / 10.0
   from terminals where tenant_id = $1`,
  `insert into status_intervals (tenant_id, terminal_id, started_at, noted_at, status)
   select $1, id, now(), now(), case when id % 10 = 0 then 'offline' else 'online' end from terminals where tenant_id = $1`,
  `insert into latest_addresses (tenant_id, terminal_id, at, ipv4, ipv6_ue, ipv6_cpe)
   select $1, id, now(), array['100.64.' || id % 250 || '.' || id % 99], array['2605:59c8:' || id % 9999 || '::/64'], '{}'
   from terminals where tenant_id = $1`,
  `insert into line_usage (tenant_id, service_line_id, cycle_start, cycle_end, priority_gb, standard_gb,
     opt_in_priority_gb, non_billable_gb, usage_limit_gb)
   select $1, id, '2026-11-01', '2026-12-01', id % 50, id % 30, 0, 0, 50 from service_lines where tenant_id = $1`,
]

/** Starts the HTTP server on the given database. Tenants with fleets of any size can be added. */
export const openFleetStack = async ({ owner, runtime }: Connections) => {
  const log = pino({ level: 'error' })
  const database = openDatabase(runtime, (error) => log.error(error))
  const listener = listenToDatabase({ connection: runtime, log })
  const fleet = await createFleet({ database, listener, log })
  const config = readConfig({ LOG_LEVEL: 'error', TILES_LIGHT_URL: 'none', TILES_DARK_URL: 'none' })
  const app = await createApp(
    {
      config,
      database,
      secrets: deriveSecrets('a key for the bench that is long enough'),
      fleet,
      now: () => new Date(),
    },
    log,
  )
  const serverMs: number[] = []
  app.addHook('onResponse', async (_, reply) => {
    serverMs.push(reply.elapsedTime)
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })

  return {
    url,
    database,
    fleet,
    /** The server time of the last response. */
    lastServerMs: () => serverMs.at(-1) as number,
    addFleet: async (tenantId: string, terminals: number) => {
      const outer = openDatabase(owner, (error) => log.error(error))
      await outer.transaction({ tenantId }, (db) =>
        createTenant(db, by, { id: tenantId, hosts: [], config: { tenant: tenantId, company_name: 'Bench' } }),
      )
      await outer.close()
      await database.transaction({ tenantId }, async (db, client) => {
        await createUser(db, tenantId, by, {
          email: `admin@${tenantId}.example`,
          username: 'staff',
          customerName: 'Bench',
          company: 'Bench',
          initialPassword: PASSWORD,
          role: 'admin',
        })
        await client.query('set local statement_timeout = 0')
        await client.query(FLEET, [tenantId, terminals])
        for (const state of STATES) await client.query(state, [tenantId])
      })
    },
    signIn: async (
      tenantId: string,
      email = `admin@${tenantId}.example`,
    ): Promise<{ access: string; refresh: string }> => {
      const response = await fetch(`${url}/api/user/login/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-tenant': tenantId },
        body: JSON.stringify({ email, password: PASSWORD }),
      })
      return (await response.json()) as { access: string; refresh: string }
    },
    close: async () => {
      await app.close()
      await fleet.close()
      await listener.close()
      await database.close()
    },
  }
}

export type FleetStack = Awaited<ReturnType<typeof openFleetStack>>
