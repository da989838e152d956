import { expect, test } from 'vitest'
import type { Rule } from '#contract/single-sign-on.ts'
import { findRule, isEmailVerified } from './rules.ts'

const rule = (change: Partial<Rule>): Rule => ({
  claim: 'email',
  operator: 'ends_with',
  value: 'example.com',
  outcome: 'user',
  group: 'north',
  ...change,
})

const admits = (email: string, change: Partial<Rule> = {}) =>
  findRule([rule(change)], { email, email_verified: true }) !== undefined

test('a domain admits its own addresses, and not those of a domain with the same end', () => {
  for (const email of ['ada@example.com', 'Ada@EXAMPLE.com', 'ada@mail.example.com']) expect(admits(email)).toBe(true)
  for (const email of ['eve@notexample.com', 'eve@example.com.evil.example', 'example.com'])
    expect(admits(email)).toBe(false)
  expect(admits('ada@example.com', { value: '@example.com' })).toBe(true)
  expect(admits('ada@mail.example.com', { value: '.example.com' })).toBe(true)
  expect(admits('ada@example.com', { value: '.example.com' })).toBe(false)
})

test('a rule that refuses takes the end of an address as it is, and other claims are compared as they are', () => {
  expect(admits('eve@notexample.com', { outcome: 'refuse', group: '' })).toBe(true)
  expect(findRule([rule({ claim: 'department', value: 'support' })], { department: 'user-support' })).toBeDefined()
  // What every object has is no claim.
  for (const claim of ['address.constructor', 'toString'])
    expect(findRule([rule({ claim, operator: 'exists' })], { address: {} })).toBeUndefined()
})

test('an address that is not verified admits nobody, and is refused all the same', () => {
  const refusal = rule({ value: '@Partner.example', outcome: 'refuse', group: '' })
  const admission = rule({ claim: 'groups', operator: 'equals', value: 'staff' })
  const eve = { email: 'Eve@partner.example', groups: ['staff'] }
  expect(findRule([rule({ value: '@partner.example' })], eve)).toBeUndefined()
  for (const email_verified of [true, false, undefined])
    expect(findRule([refusal, admission], { ...eve, email_verified })?.place).toBe(1)
  expect(findRule([refusal, admission], { groups: ['staff'] })?.place).toBe(2)
})

test('several addresses admit nobody, because the provider states the verification of one, and each is refused', () => {
  const claims = { email: ['eve@evil.example', 'ada@example.com', 'Bob@Example.com'], email_verified: true }
  expect(findRule([rule({})], claims)).toBeUndefined()
  expect(findRule([rule({ operator: 'exists' })], claims)).toBeUndefined()
  expect(findRule([rule({ operator: 'equals', value: 'bob@example.com', outcome: 'refuse' })], claims)).toBeDefined()
})

test('an address counts as verified by the statement of the standard, or else by that of Entra ID', () => {
  for (const claims of [{ email_verified: true }, { email_verified: 'true' }, { xms_edov: true }, { xms_edov: '1' }])
    expect([claims, isEmailVerified(claims)]).toEqual([claims, true])
  for (const claims of [{}, { email_verified: 1 }, { xms_edov: false }, { xms_edov: '0' }])
    expect([claims, isEmailVerified(claims)]).toEqual([claims, false])
  expect(isEmailVerified({ email_verified: false, xms_edov: true })).toBe(false)
})
