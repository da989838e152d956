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

export const isEmailVerified = ({ email_verified }: Claims) => email_verified === true || email_verified === 'true'

/** Removes an unverified address: at many providers users can enter any, and a rule about a domain would admit them. */
const withoutUnverified = (claims: Claims): Claims => {
  if (typeof claims.email !== 'string') return claims
  const { email, ...others } = claims
  return isEmailVerified(claims) ? { ...others, email: email.toLowerCase() } : others
}

const isMatch = (claims: Claims, { claim, operator, value }: Rule) => {
  const found = readClaim(claims, claim)
  if (operator === 'exists') return found !== undefined && found !== null
  const expected = claim === 'email' ? value.toLowerCase() : value
  return toTexts(found).some((text) => operators[operator](text, expected))
}

/** The first matching rule, and its 1-based position. Without one, the user is not admitted. */
export const findRule = (rules: readonly Rule[], claims: Claims) => {
  const trusted = withoutUnverified(claims)
  const index = rules.findIndex((rule) => isMatch(trusted, rule))
  const rule = rules[index]
  return rule && { rule, place: index + 1 }
}
