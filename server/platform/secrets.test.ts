import { expect, test } from 'vitest'
import { deriveSecrets } from './secrets.ts'

const OLD = 'a key that is long enough for tests'
const NEW = 'a new key that is long enough for tests'

test('opens what any key sealed, for its purpose only, and seals with the current key', () => {
  const sealed = deriveSecrets(OLD).seal('the secret', 'here')
  const both = deriveSecrets(NEW, [OLD])
  expect(both.open(sealed, 'here')).toBe('the secret')
  expect(() => both.open(sealed, 'there')).toThrow()
  expect(() => deriveSecrets(NEW).open(sealed, 'here')).toThrow('No key decrypts this.')
  const resealed = both.seal('the secret', 'here')
  expect(deriveSecrets(NEW).open(resealed, 'here')).toBe('the secret')
  expect(() => deriveSecrets(OLD).open(resealed, 'here')).toThrow()
  expect(resealed.subarray(0, both.sealPrefix.length)).toEqual(both.sealPrefix)
  expect(both.sealPrefix).toEqual(deriveSecrets(NEW).sealPrefix)
  expect(both.sealPrefix).not.toEqual(deriveSecrets(OLD).sealPrefix)
  for (let at = 0; at < sealed.length; at++) {
    const altered = Buffer.from(sealed)
    altered.writeUInt8(altered.readUInt8(at) ^ 1, at)
    expect(() => both.open(altered, 'here'), `altered at ${at}`).toThrow()
    expect(() => both.open(sealed.subarray(0, at), 'here'), `cut at ${at}`).toThrow()
  }
})

test('opens what was sealed before there were key ids', () => {
  const sealed = Buffer.from('39ea81c90b1bf98c3423aa11e7311399b484382a1495b1cbb48952e9ccf01df06c0e418b348a', 'hex')
  expect(deriveSecrets(OLD).open(sealed, 'vendor:a:legacy')).toBe('the secret')
  expect(deriveSecrets(NEW, [OLD]).open(sealed, 'vendor:a:legacy')).toBe('the secret')
  expect(() => deriveSecrets(NEW).open(sealed, 'vendor:a:legacy')).toThrow('No key decrypts this.')
})

test('digests of every key match, and those of no key do not', () => {
  const digest = deriveSecrets(OLD).digest('123456', 'code')
  const both = deriveSecrets(NEW, [OLD])
  expect(both.matchesDigest(digest, '123456', 'code')).toBe(true)
  expect(both.previousDigests('123456', 'code')).toEqual([digest])
  expect(both.matchesDigest(digest, '123457', 'code')).toBe(false)
  expect(both.matchesDigest(digest, '123456', 'other')).toBe(false)
  expect(both.matchesDigest(Buffer.of(), '123456', 'code')).toBe(false)
  expect(deriveSecrets(NEW).matchesDigest(digest, '123456', 'code')).toBe(false)
})
