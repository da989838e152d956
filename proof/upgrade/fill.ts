import { addTwoTenants } from '#server/backup/testing/two-tenants.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { deriveSecrets } from '#server/platform/secrets.ts'
import { type Place, query } from './cluster.ts'

export const SECRET_KEY = 'only-for-proofs-only-for-proofs-only-for-proofs'
export const PLAIN_SECRET = 'the-plain-secret-of-a-vendor-account'

/** Two tenants with rows in every table, an encrypted secret, and the given number of samples. */
export const fillDatabase = async (place: Place, samples: number) => {
  await migrate(place.owner, place.runtime.user as string)
  await addTwoTenants(place.superuser)
  const sealed = deriveSecrets(SECRET_KEY).seal(PLAIN_SECRET, 'vendor_credentials').toString('hex')
  await query(place, `update vendor_credentials set client_secret = '\\x${sealed}'`)
  await query(
    place,
    `insert into samples (tenant_id, terminal_id, at, downlink_mbps, uplink_mbps, latency_ms, ping_drop, alerts)
     select terminal.tenant_id, terminal.id, current_date::timestamp at time zone 'UTC' + n * interval '20 milliseconds',
       random() * 200, random() * 20, 25 + random() * 40, random() / 100, case when n % 50 = 0 then array['slow'] end
     from terminals as terminal, generate_series(1, ${Math.floor(samples / 2)}) as n
     on conflict do nothing`,
  )
}
