import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { conflict, invalid } from '#contract/errors.ts'
import type { SsoChange, SsoSettings } from '#contract/single-sign-on.ts'
import { recordAudit } from '../audit/record.ts'
import type { Services } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import type { JsonObject } from '../platform/database/schema.ts'
import { findAddressFault } from '../platform/outbound-address.ts'
import { findSettings, storeConnection } from './connection.ts'

export const listAdministratorsForSso = (db: Db, tenantId: string) =>
  db
    .selectFrom('users')
    .select(['id', 'email', 'is_break_glass'])
    .where('tenant_id', '=', tenantId)
    .where('role', '=', 'admin')
    .where('is_service', '=', false)
    .orderBy(sql`lower(email)`)
    .execute()

const requireSecret = (before: SsoSettings | undefined, { issuer, clientSecret }: SsoChange) => {
  if (clientSecret) return
  if (!before) throw invalid('clientSecret: Please enter the client secret.')
  // Otherwise the stored secret would be sent to any address that is entered.
  if (before.issuer !== issuer)
    throw invalid('clientSecret: Please enter the secret of the client at the new provider.')
}

const requireSafeIssuer = ({ config }: Pick<Services, 'config'>, { issuer, isEnabled }: SsoChange) => {
  const fault = isEnabled ? findAddressFault(issuer, config.outboundNetworks) : undefined
  if (fault !== undefined) throw invalid(`issuer: ${fault}`)
}

/** Somebody must be able to sign in when the provider is down or misconfigured. */
const requireBreakGlass = ({ isEnabled, isOnly, breakGlass }: SsoChange) => {
  if (isOnly && !isEnabled) throw invalid('isOnly: Please switch single sign-on on first.')
  if (isOnly && breakGlass.length === 0)
    throw conflict('Please choose at least one administrator who may still use a password.')
}

const setBreakGlass = async (db: Db, tenantId: string, ids: readonly string[]) => {
  const { rows } = await sql<{ email: string; is_break_glass: boolean }>`
    update users set is_break_glass = not is_break_glass
    where tenant_id = ${tenantId} and role = 'admin' and not is_service
      and is_break_glass <> (id = any(${ids}::bigint[]))
    returning email, is_break_glass`.execute(db)
  return rows
}

/**
 * With single sign-on only, sessions that began with a password end, because the provider could not end them; except those
 * of break-glass administrators and the one that made the change. Sessions of a provider that is replaced or turned off end
 * too.
 */
const endStaleSessions = async (
  db: Db,
  tenantId: string,
  now: Date,
  { before, after, keepSessionId }: { before: SsoSettings | undefined; after: SsoSettings; keepSessionId?: string },
) => {
  if (after.isOnly && !before?.isOnly)
    await sql`
      update sessions set ended_at = ${now} from users
      where sessions.tenant_id = ${tenantId} and sessions.ended_at is null and not sessions.is_single_sign_on
        and sessions.id is distinct from ${keepSessionId ?? null}::uuid
        and users.tenant_id = sessions.tenant_id and users.id = sessions.user_id and not users.is_break_glass`.execute(
      db,
    )
  const isReplaced = before && (before.issuer !== after.issuer || before.clientId !== after.clientId)
  if (isReplaced || !after.isEnabled)
    await sql`
      update sessions set ended_at = ${now}
      where tenant_id = ${tenantId} and ended_at is null and is_single_sign_on`.execute(db)
}

interface By {
  performer: string
  now: Date
  keepSessionId?: string
}

/** Changes single sign-on and records it. Call in a transaction that has locked the tenant's users. */
export const changeSso = async (
  db: Db,
  { secrets, config }: Pick<Services, 'secrets' | 'config'>,
  tenantId: string,
  { performer, now, keepSessionId }: By,
  change: SsoChange,
) => {
  const before = await findSettings(db, tenantId)
  requireSecret(before, change)
  requireSafeIssuer({ config }, change)
  requireBreakGlass(change)
  const administrators = await listAdministratorsForSso(db, tenantId)
  const isAdministrator = (id: string) => administrators.some((each) => String(each.id) === id)
  if (!change.breakGlass.every(isAdministrator)) throw invalid('breakGlass: Please choose administrators.')
  const { clientSecret, breakGlass, ...after } = change
  await storeConnection(db, secrets, tenantId, after, clientSecret || undefined, now)
  const toggled = await setBreakGlass(db, tenantId, breakGlass)
  await endStaleSessions(db, tenantId, now, { before, after, ...(keepSessionId !== undefined && { keepSessionId }) })
  const names = (Object.keys(after) as (keyof SsoSettings)[]).filter(
    (name) => !isDeepStrictEqual(before?.[name], after[name]),
  )
  const pick = (settings: SsoSettings | undefined) =>
    Object.fromEntries(names.map((name) => [name, settings?.[name] ?? null])) as JsonObject
  const fields = [...names, ...(clientSecret ? ['clientSecret'] : []), ...(toggled.length > 0 ? ['breakGlass'] : [])]
  if (fields.length > 0)
    await recordAudit(db, tenantId, now, {
      performer,
      action: 'tenant.single_sign_on',
      performee: tenantId,
      details: {
        before: pick(before),
        after: { ...pick(after), ...(clientSecret && { clientSecret: 'replaced' }) },
        ...(toggled.length > 0 && {
          breakGlass: toggled.map(({ email, is_break_glass }) => `${is_break_glass ? 'added' : 'removed'} ${email}`),
        }),
      },
    })
  return fields
}
