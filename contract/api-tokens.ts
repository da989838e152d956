import * as z from 'zod/mini'
import { Done, NoInput } from './basic-bodies.ts'
import { moment, wholeNumber } from './codecs.ts'
import { Role } from './identity.ts'
import { route } from './route.ts'
import { type Scope, scopeCodes, serviceScopeCodes } from './scopes.ts'
import { choice, requiredLine, textLike, uuid } from './text.ts'

export const MAX_TOKEN_DAYS = 365

const ApiToken = z.object({
  id: z.string(),
  name: z.string(),
  /** The email address of its owner; empty for a service token. */
  owner: z.string(),
  role: Role,
  group: z.string(),
  /** The first characters of the token. */
  hint: z.string(),
  /** Codes of `scopes`; a newer server may send others. */
  scopes: z.array(z.string()),
  networks: z.array(z.string()),
  createdAt: moment,
  createdBy: z.string(),
  expiresAt: moment,
  lastUsedAt: z.nullable(moment),
  lastAddress: z.string(),
})
export type ApiToken = z.output<typeof ApiToken>

const cidr = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()])

/** 192.0.2.7, 192.0.2.0/24, 2001:db8::/32 */
const Network = textLike(
  43,
  /^[\da-fA-F:.]+(\/\d{1,3})?$/,
  'Please enter an address such as 192.0.2.7 or 192.0.2.0/24.',
).check(z.refine((text) => cidr.safeParse(text).success, 'Please enter an address such as 192.0.2.7 or 192.0.2.0/24.'))

// @__NO_SIDE_EFFECTS__
function form(codes: Scope[]) {
  return {
    name: requiredLine(100),
    scopes: z
      .array(choice(codes))
      .check(
        z.minLength(1, 'Please choose at least one scope.'),
        z.maxLength(codes.length, 'These are too many scopes.'),
      ),
    expiresInDays: wholeNumber(1, MAX_TOKEN_DAYS),
    /** When empty, it may be used from any address. */
    networks: z.array(Network).check(z.maxLength(20, 'Please enter at most 20 addresses.')),
  }
}

export const CreateToken = z.strictObject(form(scopeCodes))
export type CreateToken = z.output<typeof CreateToken>

export const CreateServiceToken = z.strictObject({
  ...form(serviceScopeCodes),
  role: Role,
  /** The group whose terminals it sees; an administrator sees all. */
  group: requiredLine(100),
})
export type CreateServiceToken = z.output<typeof CreateServiceToken>

/** The secret is in this response only. */
const CreatedToken = z.object({ token: z.string(), created: ApiToken })
export type CreatedToken = z.output<typeof CreatedToken>

const tokenId = uuid('This is not a valid token id.')

export const apiTokens = {
  listOwn: route({
    method: 'GET',
    path: '/my-tokens/',
    access: 'user',
    summary: 'The caller’s API tokens, newest first',
    input: NoInput,
    output: z.object({ tokens: z.array(ApiToken) }),
  }),
  createOwn: route({
    method: 'POST',
    path: '/my-tokens/',
    access: 'user',
    summary: 'Create an API token that acts for the caller; returns its secret, once',
    input: CreateToken,
    output: CreatedToken,
  }),
  revokeOwn: route({
    method: 'DELETE',
    path: '/my-tokens/:tokenId/',
    access: 'user',
    summary: 'Revoke one of the caller’s API tokens, at once',
    input: z.strictObject({ tokenId }),
    output: Done,
  }),
  list: route({
    method: 'GET',
    path: '/api-tokens/',
    access: 'admin',
    summary: 'The API tokens of services and of all users, newest first',
    input: NoInput,
    output: z.object({ tokens: z.array(ApiToken) }),
  }),
  createService: route({
    method: 'POST',
    path: '/api-tokens/',
    access: 'admin',
    summary:
      'Create an API token of a service, with a role and group of its own; a second one of the same name shares its permissions',
    input: CreateServiceToken,
    output: CreatedToken,
  }),
  createWall: route({
    method: 'POST',
    path: '/wall-sessions/',
    access: 'admin',
    summary:
      'Create the session of a wall: a token that acts for the caller and reads what a wall shows, and nothing else; returns its secret, once',
    input: z.strictObject({ name: requiredLine(100) }),
    output: CreatedToken,
  }),
  revoke: route({
    method: 'DELETE',
    path: '/api-tokens/:tokenId/',
    access: 'admin',
    summary: 'Revoke an API token of a service or a user, at once',
    input: z.strictObject({ tokenId }),
    output: Done,
  }),
}
