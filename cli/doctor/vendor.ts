import type { Installation } from '#server/process/installation.ts'
import { listCredentials, type VendorCredential } from '#server/vendor/credentials.ts'
import { probeVendor } from '../vendor-probe.ts'
import { compareClock, findVendorTime } from './clock.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

// Each feed is read more often than this, so an older one is stuck.
const STUCK_AFTER_MIN = { telemetry: 5, inventory: 30, usage: 150 }
type Feed = keyof typeof STUCK_AFTER_MIN
const feeds = Object.keys(STUCK_AFTER_MIN) as Feed[]

const CONNECT = 'run npm run dishboard -- vendor connect (--help lists its options)'

interface FeedState {
  feed: string
  last_success_at: Date | null
  last_failure_at: Date | null
  last_failure: string | null
}

const checkFeed = (name: string, feed: Feed, state: FeedState | undefined, now: Date): Finding => {
  const readAt = state?.last_success_at ?? undefined
  const failedSince = state?.last_failure_at && (!readAt || state.last_failure_at > readAt)
  const why = failedSince ? `; the last attempt failed: ${state.last_failure}` : ''
  const fix = 'check that a work process is running, and read its log'
  if (readAt === undefined) return warn(name, `${feed} has never been read${why}`, fix)
  const ageMin = (now.getTime() - readAt.getTime()) / 60_000
  const fact = `${feed} was read ${ageMin < 1 ? 'less than a minute' : `${Math.floor(ageMin)} min`} ago`
  return ageMin > STUCK_AFTER_MIN[feed] ? warn(name, fact + why, fix) : ok(name, fact)
}

const checkCredential = async (installation: Installation, credential: VendorCredential): Promise<Finding[]> => {
  const { tenantId, id, clientId } = credential
  const name = `vendor ${tenantId}/${clientId}`
  const probe = await probeVendor(credential)
  const access =
    'account' in probe
      ? ok(name, `connected to account ${probe.account}`)
      : fail(name, probe.fault, `check that the service account is valid and the vendor is up, then ${CONNECT}`)
  const vendorTime = await findVendorTime(credential)
  const states = await installation.database.transaction({ tenantId }, (db) =>
    db
      .selectFrom('vendor_feeds')
      .select(['feed', 'last_success_at', 'last_failure_at', 'last_failure'])
      .where('tenant_id', '=', tenantId)
      .where('credential_id', '=', id)
      .execute(),
  )
  const now = new Date()
  return [
    access,
    ...feeds.map((feed) =>
      checkFeed(
        name,
        feed,
        states.find((state) => state.feed === feed),
        now,
      ),
    ),
    ...(vendorTime ? [compareClock(`the vendor at ${new URL(credential.baseUrl).host}`, vendorTime, now)] : []),
  ]
}

const checkTenant = async (installation: Installation, tenantId: string): Promise<Finding[]> => {
  const { database, secrets } = installation
  const name = `vendor ${tenantId}`
  let credentials: VendorCredential[]
  try {
    credentials = await database.transaction({ tenantId }, (db) => listCredentials(db, secrets, tenantId))
  } catch {
    const fix = 'add the key they were stored with to SECRET_KEY_PREVIOUS, or reconnect the vendor'
    return [fail(name, 'the stored credentials cannot be decrypted with this SECRET_KEY', fix)]
  }
  if (credentials.length === 0) return [warn(name, 'no vendor account is connected', CONNECT)]
  return (await Promise.all(credentials.map((credential) => checkCredential(installation, credential)))).flat()
}

export const checkVendor = async (installation: Installation): Promise<Finding[]> => {
  const tenants = await installation.database.outsideTenants.selectFrom('tenants').select('id').orderBy('id').execute()
  if (tenants.length === 0)
    return [
      warn('tenants', 'no tenant exists yet', 'run npm run dishboard -- tenant create (--help lists its options)'),
    ]
  const findings = [ok('tenants', `${tenants.length}: ${tenants.map(({ id }) => id).join(', ')}`)]
  for (const { id } of tenants) findings.push(...(await checkTenant(installation, id)))
  return findings
}
