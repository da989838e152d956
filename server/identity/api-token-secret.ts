import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { sha256 } from '../platform/secrets.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 256 random bits. */
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6
const HINT_LENGTH = 4

export const TOKEN_PREFIX = 'dsb_'
const TOKEN = /^dsb_([a-z0-9][a-z0-9_-]{0,39})_[0-9A-Za-z]{49}$/

/** Secret scanners find a token by its prefix and confirm it by its checksum. */
const computeChecksum = (text: string) => {
  let rest = crc32(text)
  let checksum = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    checksum = ALPHABET[rest % ALPHABET.length] + checksum
    rest = Math.floor(rest / ALPHABET.length)
  }
  return checksum
}

/** `dsb_`, the tenant, and the secret with its checksum. Only the hash is stored. */
export const createApiToken = (tenantId: string) => {
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  const start = `${TOKEN_PREFIX}${tenantId}_${secret}`
  const token = start + computeChecksum(start)
  return { token, hash: sha256(token), hint: start.slice(0, -SECRET_LENGTH + HINT_LENGTH) }
}

/** The tenant and the hash of a token; undefined for text that cannot be one. */
export const parseApiToken = (token: string) => {
  const tenantId = TOKEN.exec(token)?.[1]
  const isIntact = computeChecksum(token.slice(0, -CHECKSUM_LENGTH)) === token.slice(-CHECKSUM_LENGTH)
  return tenantId !== undefined && isIntact ? { tenantId, hash: sha256(token) } : undefined
}
