import type { Rule } from '#contract/single-sign-on.ts'

/** The provider's claims about a user. */
export type Claims = Record<string, unknown>

const isObject = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A name with dots may be the claim's full name, as in URLs, or a path into objects. */
const readClaim = (claims: Claims, name: string): unknown => {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, part)) return undefined
    value = value[part]
  }
  return value
}

const toTexts = (value: unknown): string[] =>
  [value].flat().flatMap((each) => (['string', 'number', 'boolean'].includes(typeof each) ? [String(each)] : []))

const operators: Record<Exclude<Rule['operator'], 'exists'>, (text: string, value: string) => boolean> = {
  equals: (text, value) => text === value,
  contains: (text, value) => text.includes(value),
  ends_with: (text, value) => text.endsWith(value),
}

const isTrue = (value: unknown) => value === true || value === 'true'

/** Entra ID has no `email_verified`. Its `xms_edov` is whether the owner of the domain has verified that it is theirs. */
export const isEmailVerified = ({ email_verified, xms_edov }: Claims) =>
  email_verified === undefined ? isTrue(xms_edov) || xms_edov === '1' || xms_edov === 1 : isTrue(email_verified)

/**
 * Removes an unverified address: at many providers users can enter any, and a rule about a domain would admit them. Several
 * addresses are not the one whose verification the provider states.
 */
const withoutUnverified = (claims: Claims): Claims => {
  if (typeof claims.email === 'string' && isEmailVerified(claims)) return claims
  const { email: _, ...others } = claims
  return others
}

/** A domain without an @ is also the end of addresses at other domains: example.com of notexample.com. */
const isInDomain = (address: string, domain: string) =>
  address.endsWith(domain) && /[@.]$/.test(address.slice(0, address.length - domain.length))

const isMatch = (claims: Claims, { claim, operator, value, outcome }: Rule) => {
  const found = readClaim(claims, claim)
  if (operator === 'exists') return found !== undefined && found !== null
  const isEmail = claim === 'email'
  const texts = isEmail ? toTexts(found).map((text) => text.toLowerCase()) : toTexts(found)
  const expected = isEmail ? value.toLowerCase() : value
  const isDomain = isEmail && operator === 'ends_with' && !/^\.|@/.test(expected)
  if (isDomain && outcome !== 'refuse') return texts.some((text) => isInDomain(text, expected))
  return texts.some((text) => operators[operator](text, expected))
}

/** The first matching rule, and its 1-based position. Without one, the user is not admitted. */
export const findRule = (rules: readonly Rule[], claims: Claims) => {
  const trusted = withoutUnverified(claims)
  // An address that is refused stays so without its verification.
  const index = rules.findIndex((rule) => isMatch(rule.outcome === 'refuse' ? claims : trusted, rule))
  const rule = rules[index]
  return rule && { rule, place: index + 1 }
}
