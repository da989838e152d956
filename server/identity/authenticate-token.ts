import { BlockList, isIPv6 } from 'node:net'
import { type RawBuilder, sql } from 'kysely'
import { ApiError, unauthorized } from '#contract/errors.ts'
import type { Scope } from '#contract/scopes.ts'
import type { Services, Session } from '../platform/context.ts'
import type { TenantAddress } from '../platform/http/tenant-address.ts'
import { mustAddFactor } from '../platform/must-add-factor.ts'
import { isVouchedToken } from '../platform/vouched-token.ts'
import type { RequestOrigin } from '../security-events/record.ts'
import { type DirectoryEntry, pickTenant, resolveTenant, selectDirectoryEntry } from '../tenants/resolve.ts'
import { parseApiToken } from './api-token-secret.ts'
import { type RightsRow, toSession } from './read-session.ts'
import { limitGuesses } from './token-guesses.ts'
import { recordRefusal } from './token-uses.ts'

/** Without a token id if there is no such token. */
interface TokenRow extends DirectoryEntry, RightsRow {
  token_id: string | null
  token_name: string
  scopes: Scope[]
  networks: string[]
  expires_at: Date
  revoked_at: Date | null
  user_id: number
}

const buildTokenQuery = (address: TenantAddress, tenantId: string, hash: Buffer): RawBuilder<TokenRow> => sql`
  select directory.*, token.id as token_id, token.name as token_name, token.scopes, token.networks, token.expires_at,
    token.revoked_at, users.id as user_id, users.email, users.role, users.group_name, users.customer_name,
    users.must_change_password and not ${isVouchedToken('token')} as must_change_password,
    ${mustAddFactor()} and not ${isVouchedToken('token')} as must_add_factor, feature_grants.item, feature_grants.value
  from (${selectDirectoryEntry(address)}) as directory
  left join api_tokens as token on token.tenant_id = ${tenantId} and token.secret_hash = ${hash}
  left join users on users.tenant_id = token.tenant_id and users.id = token.user_id
  left join feature_grants on feature_grants.tenant_id = users.tenant_id and feature_grants.user_id = users.id`

const isWithin = (networks: readonly string[], address: string) => {
  if (networks.length === 0) return true
  const list = new BlockList()
  const family = (text: string) => (isIPv6(text) ? 'ipv6' : 'ipv4')
  for (const network of networks) {
    const [base = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(base, family(base))
    else list.addSubnet(base, Number(bits), family(base))
  }
  return list.check(address, family(address))
}

const findFault = ({ revoked_at, expires_at, networks }: TokenRow, address: string, now: Date) => {
  if (revoked_at !== null) return 'revoked'
  if (expires_at <= now) return 'expired'
  return isWithin(networks, address) ? undefined : 'address'
}

/** The same for every fault, so that nobody learns of tokens of others. */
const refused = () => unauthorized('This API token is not valid. It may have expired or been revoked.')

/**
 * The session of an API token. Like a user's session it is read for each request: it has its user's current rights, and a
 * revocation takes effect immediately in every process.
 */
export const authenticateToken = async (
  services: Services,
  address: TenantAddress,
  token: string,
  origin: RequestOrigin,
): Promise<Session> => {
  const { database, now } = services
  const parsed = parseApiToken(token)
  if (!parsed) {
    await resolveTenant(database, address)
    throw refused()
  }
  const { tenantId, hash } = parsed
  const { remember, countUnknown } = limitGuesses(services, hash, origin)
  const rows = await database.readInOneRoundTrip({ tenantId }, 'token', buildTokenQuery(address, tenantId, hash))
  const first = rows[0] as TokenRow
  if (first.token_id === null) countUnknown()
  if ((pickTenant(first, address) ?? tenantId) !== tenantId) throw refused()
  const { token_id: id, token_name: name, user_id: userId, email, scopes } = first
  if (id === null) throw refused()
  const fault = findFault(first, origin.address, now())
  if (fault) await recordRefusal(services, tenantId, { id, name, userId, email }, fault, origin)
  if (fault === 'address') throw new ApiError(403, 'token_address', 'This token may not be used from your address.')
  if (fault) throw refused()
  const session = toSession(tenantId, { userId, sessionId: undefined, token: { id, name, scopes } }, rows)
  if (!session) throw refused()
  remember()
  return session
}
