import { scopeCodes, serviceScopeCodes, WALL_SCOPE } from '#contract/scopes.ts'

/** Who may make a call with a session or without. All but the other tenant come to the host of tenant A. */
export const visitors = [
  'anonymous',
  'bad token',
  /** The secret of a link that shows a line of the group north, sent as a token. */
  'share link',
  /** People of tenant B with their own good tokens, at A's host. */
  'foreign user',
  'foreign admin',
  /** B's administrator at B's host, who names A's users and lines. */
  'other tenant',
  /** Holds every item, in the group south. */
  'other group',
  /** Of the group north, without and with every item. */
  'without',
  'with',
  'admin',
  'deleted',
  /** An administrator of A who first has to change the password. */
  'must change',
] as const
type Visitor = (typeof visitors)[number]

/** API tokens: with whose rights they act, and with which scopes. Without rights they are not valid. */
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

/** Everybody who may make a call. */
export const callers = [...visitors, ...(Object.keys(tokenCallers) as TokenCaller[])] as const
export type Caller = Visitor | TokenCaller

export const isTokenCaller = (caller: Caller): caller is TokenCaller => caller in tokenCallers

/** What a token gets: the response to its user, if its scopes allow the call. */
export const expectForToken = (statuses: Statuses, caller: TokenCaller, needed: readonly string[] | undefined) => {
  const { like, scopes } = tokenCallers[caller]
  if (needed === undefined) return statuses.anonymous
  if (like === undefined) return 401
  return needed.some((scope) => (scopes as readonly string[]).includes(scope)) ? statuses[like] : 403
}

export type Statuses = Record<Visitor, number | readonly number[]>
