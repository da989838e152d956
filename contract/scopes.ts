import type { api } from './api.ts'
import { isWriting, type Route } from './route.ts'

/** What an API token can be allowed to do, with its name on pages. Its user must have the permission too. */
export const scopes = {
  'terminals:read': 'See terminals and their measurements',
  'terminals:write': 'Edit the metadata of terminals',
  'bulk:read': 'See and preview changes of many terminals',
  'bulk:write': 'Change or reboot many terminals at once',
  'commands:write': 'Send commands to terminals',
  'events:read': 'See what happens to terminals and pools',
  'incidents:read': 'See incidents',
  'incidents:write': 'Acknowledge, snooze, merge and split incidents',
  'maintenance:read': 'See maintenance windows',
  'maintenance:write': 'Plan and end maintenance',
  'plans:read': 'See plans and forecasts',
  'plans:write': 'Create and change plans',
  'reports:read': 'See the executive summary, availability and reports',
  'reports:write': 'Plan and send reports',
  'users:read': 'See users and their permissions',
  'users:write': 'Create, change and delete users',
  'personal-data:read': 'Export everything that is stored about a user',
  'personal-data:write': 'Erase users with everything that is stored about them',
  'settings:read': 'See settings',
  'settings:write': 'Change settings',
  'share-links:read': 'See links that show something to whoever has them',
  'share-links:write': 'Create and revoke such links',
  'webhooks:read': 'See webhooks and their deliveries',
  'webhooks:write': 'Create, change and delete webhooks',
  'audit:read': 'See the editing log, security events and deliveries',
  'metrics:read': 'Read the metrics of terminals, as Prometheus does',
  'support:write': 'Open tickets and ask the assistant',
  'profile:read': 'See the own profile and permissions',
  'profile:write': 'Change the own name, notifications and saved views',
} as const

export type Scope = keyof typeof scopes

export const scopeCodes = Object.keys(scopes) as Scope[]

/** The scope of a wall session, an unattended screen. It allows the calls in `wallCalls` and no others. */
export const WALL_SCOPE = 'wall:read'

/** Service accounts have no profile. */
export const serviceScopeCodes = scopeCodes.filter((scope) => scope !== 'profile:write')

type Api = typeof api
type Resource = Scope extends infer Each ? (Each extends `${infer Name}:${string}` ? Name : never) : never
type CallName = { [Table in keyof Api]: `${Table}.${keyof Api[Table] & string}` }[keyof Api]

/** The resource whose scope the calls of a table need: `never` for calls that require a signed-in user. */
const resources: Record<keyof Api, Resource | 'public' | 'never'> = {
  tenants: 'public',
  tenantSettings: 'settings',
  // Sessions, and the proof that the user is present.
  identity: 'never',
  // It controls who can sign in, and as which user.
  singleSignOn: 'never',
  terminals: 'terminals',
  fleetMetrics: 'metrics',
  terminalDetail: 'terminals',
  serviceLines: 'terminals',
  commands: 'commands',
  access: 'users',
  users: 'users',
  audit: 'audit',
  securityEvents: 'audit',
  profile: 'profile',
  // The user's own sessions and credentials.
  sessions: 'never',
  factors: 'never',
  // A token that could create others could outlive its expiry and escape its limits.
  apiTokens: 'never',
  rehearsal: 'profile',
  deliveries: 'audit',
  events: 'events',
  incidents: 'incidents',
  maintenance: 'maintenance',
  availability: 'reports',
  reports: 'reports',
  bulk: 'bulk',
  savedViews: 'profile',
  shareLinks: 'share-links',
  personalData: 'personal-data',
  plans: 'plans',
  executive: 'reports',
  support: 'support',
  webhooks: 'webhooks',
}

const exceptions: Partial<Record<CallName, Scope | 'never'>> = {
  'identity.verifyToken': 'profile:read',
  'access.myEffective': 'profile:read',
  // Each download is recorded, and changes nothing else.
  'audit.download': 'audit:read',
  'securityEvents.download': 'audit:read',
  'securityEvents.mine': 'profile:read',
  'availability.setTarget': 'settings:write',
  'personalData.ownData': 'personal-data:read',
  'personalData.userData': 'personal-data:read',
  // It sends a message to a user, like `users.notify`.
  'deliveries.resend': 'users:write',
  'singleSignOn.get': 'settings:read',
  'singleSignOn.tryClaims': 'settings:read',
  // The user's credentials.
  'profile.resetPassword': 'never',
  'profile.checkOtp': 'never',
  // The mail exposes a forged log, so an attacker would unsubscribe first.
  'profile.auditMail': 'never',
  // Only a user in person can consent, and prove ownership of a number.
  'profile.consentToSms': 'never',
  'profile.changePhone': 'never',
  'profile.sendPhoneCode': 'never',
  'profile.verifyPhone': 'never',
  // It removes an account's protection.
  'users.resetFactors': 'never',
}

/** The calls that the wall makes. */
const wallCalls: readonly CallName[] = [
  'identity.verifyToken',
  'access.myEffective',
  'terminals.list',
  'terminals.live',
  'availability.month',
  'events.list',
]

const isWallCall = (table: string, name: string) => wallCalls.includes(`${table}.${name}` as CallName)

/** The scope that a token needs for a call; `never` if no token may make it, undefined if the call is public. */
export const findScope = (table: string, name: string, route: Route): Scope | 'never' | undefined => {
  const exception = exceptions[`${table}.${name}` as CallName]
  if (exception) return exception
  const resource = resources[table as keyof Api] as Resource | 'public' | 'never' | undefined
  if (resource === 'public' || route.access === 'public') return undefined
  if (resource === undefined || resource === 'never') return 'never'
  const scope = `${resource}:${isWriting(route) ? 'write' : 'read'}`
  return scope in scopes ? (scope as Scope) : 'never'
}

/**
 * The scopes of which a token needs at least one for a call: empty if no token may make it, undefined if the call
 * is public.
 */
export const listScopes = (table: string, name: string, route: Route): readonly string[] | undefined => {
  const scope = findScope(table, name, route)
  if (scope === undefined) return undefined
  if (scope === 'never') return []
  return isWallCall(table, name) ? [scope, WALL_SCOPE] : [scope]
}
