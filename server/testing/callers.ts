import { scopeCodes, serviceScopeCodes, WALL_SCOPE } from '#contract/scopes.ts'

/** Callers with or without a session. All but the other tenant use the host of tenant A. */
export const visitors = [
  'anonymous',
  'bad token',
  /** The secret of a link to a line of the group north, sent as a token. */
  'share link',
  /** Users of tenant B with valid tokens, at A's host. */
  'foreign user',
  'foreign admin',
  /** B's administrator at B's host, naming A's users and lines. */
  'other tenant',
  /** Has every item, in the group south. */
  'other group',
  /** Of the group north, without and with every item. */
  'without',
  'with',
  'admin',
  'deleted',
  /** An administrator of A who must change the password first. */
  'must change',
] as const
type Visitor = (typeof visitors)[number]

/** API tokens: whose permissions they have, and which scopes. Without permissions they are not valid. */
export const tokenCallers = {
  token: { like: 'with', scopes: scopeCodes },
  'service token': { like: 'admin', scopes: serviceScopeCodes },
  'narrow token': { like: 'admin', scopes: ['reports:read'] },
  'wall session': { like: 'admin', scopes: [WALL_SCOPE] },
  'token of another tenant': { like: undefined, scopes: scopeCodes },
  'revoked token': { like: undefined, scopes: scopeCodes },
  'expired token': { like: undefined, scopes: scopeCodes },
} as const satisfies Record<string, { like: Visitor | undefined; scopes: readonly string[] }>
type TokenCaller = keyof typeof tokenCallers

/** All callers. */
export const callers = [...visitors, ...(Object.keys(tokenCallers) as TokenCaller[])] as const
export type Caller = Visitor | TokenCaller

export const isTokenCaller = (caller: Caller): caller is TokenCaller => caller in tokenCallers

/** The response for a token: that for its user, if its scopes allow the call. */
export const expectForToken = (statuses: Statuses, caller: TokenCaller, needed: readonly string[] | undefined) => {
  const { like, scopes } = tokenCallers[caller]
  if (needed === undefined) return statuses.anonymous
  if (like === undefined) return 401
  return needed.some((scope) => (scopes as readonly string[]).includes(scope)) ? statuses[like] : 403
}

export type Statuses = Record<Visitor, number | readonly number[]>
