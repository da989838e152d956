import * as z from 'zod/mini'
import { Done, NoInput } from './basic-bodies.ts'
import { flag, id, wholeNumber } from './codecs.ts'
import { SignInResponse } from './identity.ts'
import { route } from './route.ts'
import { choice, requiredLine, text, textLike } from './text.ts'

export const ruleOperators = ['equals', 'contains', 'ends_with', 'exists'] as const
export const ruleOutcomes = ['user', 'admin', 'refuse'] as const

const Rule = z
  .strictObject({
    /** The name of a claim, or a dotted path to a nested one: `realm_access.roles`. */
    claim: requiredLine(200),
    operator: choice(ruleOperators),
    value: text(500),
    outcome: choice(ruleOutcomes),
    /** The group of users whom the rule admits. */
    group: text(100).check(z.trim(), z.regex(/^\P{Cc}*$/u, 'Please remove line breaks and control characters.')),
  })
  .check(
    z.refine(({ outcome, group }) => outcome === 'refuse' || group !== '', {
      path: ['group'],
      error: 'Please enter the group of these users.',
    }),
    z.refine(({ operator, value }) => operator === 'exists' || value !== '', {
      path: ['value'],
      error: 'Please enter a value.',
    }),
  )
export type Rule = z.output<typeof Rule>

const Rules = z.array(Rule).check(z.maxLength(50, 'Please use at most 50 rules.'))

export const ssoBounds = {
  recheckMinutes: { min: 1, max: 1440 },
  graceMinutes: { min: 0, max: 10_080 },
} as const

const isIssuer = (address: string) => {
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash
}

const Issuer = requiredLine(500).check(z.refine(isIssuer, 'Please enter an address like https://login.example.com.'))

const fields = {
  issuer: Issuer,
  clientId: requiredLine(300),
  scopes: textLike(
    300,
    /^(?=(.* )?openid( |$))[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/,
    'Please enter scopes separated by single spaces, openid among them.',
  ),
  buttonLabel: requiredLine(60),
  rules: Rules,
  recheckMinutes: wholeNumber(ssoBounds.recheckMinutes.min, ssoBounds.recheckMinutes.max),
  graceMinutes: wholeNumber(ssoBounds.graceMinutes.min, ssoBounds.graceMinutes.max),
}

/** Saved as a whole, so that the rules and the other settings are always consistent. */
export const SsoChange = z.strictObject({
  ...fields,
  isEnabled: flag,
  isOnly: flag,
  /** Null or empty: unchanged. */
  clientSecret: z.nullable(text(1000)),
  /** Administrators who may always use their password. */
  breakGlass: z.array(id).check(z.maxLength(50, 'Please choose at most 50 administrators.')),
})
export type SsoChange = z.output<typeof SsoChange>

const SsoSettings = z.object({
  issuer: z.string(),
  clientId: z.string(),
  scopes: z.string(),
  buttonLabel: z.string(),
  rules: z.array(Rule),
  recheckMinutes: z.int(),
  graceMinutes: z.int(),
  isEnabled: z.boolean(),
  isOnly: z.boolean(),
})
export type SsoSettings = z.output<typeof SsoSettings>

const StoredSso = z.object({
  /** Null if never set up. */
  settings: z.nullable(SsoSettings),
  administrators: z.array(z.object({ user_id: id, email: z.string(), isBreakGlass: z.boolean() })),
  /** The values to register at the provider. */
  redirectUris: z.array(z.string()),
  logoutUris: z.array(z.string()),
  backchannelLogoutUris: z.array(z.string()),
})
export type StoredSso = z.output<typeof StoredSso>

const TriedClaims = z.object({
  /** The rule that decides, counted from 1; null if none matches. */
  rule: z.nullable(z.int()),
  outcome: z.enum(ruleOutcomes),
  group: z.string(),
  /** What a first sign-in would do, in words. */
  text: z.string(),
})
export type TriedClaims = z.output<typeof TriedClaims>

const ConnectionTest = z.object({
  isUsable: z.boolean(),
  facts: z.array(z.object({ isFine: z.boolean(), text: z.string() })),
})
export type ConnectionTest = z.output<typeof ConnectionTest>

/** The query string with which the provider redirected the browser back. */
const Callback = z.strictObject({ query: text(6000) })

export const singleSignOn = {
  start: route({
    method: 'POST',
    path: '/single-sign-on/start/',
    access: 'public',
    summary: 'Begin a sign-in at the tenant’s OpenID provider; returns the address to send the browser to',
    /** With `confirm`, the user reauthenticates. */
    input: z.strictObject({ confirm: z.optional(flag) }),
    output: z.object({ location: z.string() }),
  }),
  finish: route({
    method: 'POST',
    path: '/single-sign-on/finish/',
    access: 'public',
    summary: 'Finish a sign-in with what the provider sent back; needs the cookie that the start has set',
    input: Callback,
    output: SignInResponse,
  }),
  confirm: route({
    method: 'POST',
    path: '/single-sign-on/confirm/',
    access: 'user',
    summary: 'Confirm at the provider who the caller is, instead of by a password',
    input: Callback,
    output: Done,
  }),
  get: route({
    method: 'GET',
    path: '/single-sign-on/',
    access: 'admin',
    summary: 'The single sign-on of the tenant, without its secret',
    input: NoInput,
    output: StoredSso,
  }),
  change: route({
    method: 'PUT',
    path: '/single-sign-on/',
    access: 'admin',
    summary: 'Set up or change single sign-on: provider, rules, and who may use a password',
    maxBodyBytes: 64 * 1024,
    input: SsoChange,
    output: StoredSso,
  }),
  tryClaims: route({
    method: 'POST',
    path: '/single-sign-on/try/',
    access: 'admin',
    writes: false,
    summary: 'Which of these rules decides on a sample token or its claims, and what would happen',
    maxBodyBytes: 128 * 1024,
    /** A JSON object of claims, or a signed token, whose signature is not checked. */
    input: z.strictObject({ sample: text(20_000), rules: Rules }),
    output: TriedClaims,
  }),
  test: route({
    method: 'POST',
    path: '/single-sign-on/test/',
    access: 'admin',
    writes: false,
    summary: 'Whether the provider of this address can be reached, and what it offers',
    input: z.strictObject({ issuer: Issuer, scopes: fields.scopes }),
    output: ConnectionTest,
  }),
}
