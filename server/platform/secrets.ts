import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

export interface Secrets {
  /**
   * Encrypts for storage with the current key. `purpose` binds the ciphertext to its place, so that one row's secret does
   * not decrypt in another. Every column that stores the result is listed in server/process/sealed-columns.ts.
   */
  seal: (text: string, purpose: string) => Buffer
  /** Decrypts what any of the keys has sealed; throws if none has. */
  open: (sealed: Buffer, purpose: string) => string
  /** The prefix of everything that the current key seals: a marker and the key id. */
  sealPrefix: Buffer
  /** A keyed hash, for secrets short enough that a plain hash could be brute-forced. */
  digest: (text: string, purpose: string) => Buffer
  /** The same hash with each previous key. */
  previousDigests: (text: string, purpose: string) => Buffer[]
  /** Whether one of the keys produces this digest of the text. */
  matchesDigest: (digest: Buffer, text: string, purpose: string) => boolean
  /** The first key signs, all verify. */
  tokenKeys: readonly [Uint8Array, ...Uint8Array[]]
}

const IV_BYTES = 12
const TAG_BYTES = 16
const SEAL_MARK = Buffer.from('key1')
const KEY_ID_BYTES = 8

const derive = (key: string, use: string) => new Uint8Array(hkdfSync('sha256', key, 'dishboard', use, 32))

const encrypt = (key: Uint8Array, text: string, purpose: string) => {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose))
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted])
}

const decrypt = (key: Uint8Array, bytes: Buffer, purpose: string) => {
  const textAt = IV_BYTES + TAG_BYTES
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(bytes.subarray(IV_BYTES, textAt))
  return Buffer.concat([decipher.update(bytes.subarray(textAt)), decipher.final()]).toString('utf8')
}

const deriveKeys = (secretKey: string) => {
  const digestKey = derive(secretKey, 'digest')
  return {
    sealKey: derive(secretKey, 'seal'),
    sealPrefix: Buffer.concat([SEAL_MARK, derive(secretKey, 'key-id').subarray(0, KEY_ID_BYTES)]),
    tokenKey: derive(secretKey, 'access-token'),
    digest: (text: string, purpose: string) => createHmac('sha256', digestKey).update(`${purpose}\n${text}`).digest(),
  }
}

/** Derives every secret from one key, SECRET_KEY, with one derivation per purpose. Previous keys only decrypt and verify. */
export const deriveSecrets = (secretKey: string, previousKeys: readonly string[] = []): Secrets => {
  const current = deriveKeys(secretKey)
  const previous = previousKeys.map(deriveKeys)
  const all = [current, ...previous]
  return {
    sealPrefix: current.sealPrefix,
    seal: (text, purpose) => Buffer.concat([current.sealPrefix, encrypt(current.sealKey, text, purpose)]),
    open: (sealed, purpose) => {
      const named = all.find(({ sealPrefix }) => sealed.subarray(0, sealPrefix.length).equals(sealPrefix))
      if (named) return decrypt(named.sealKey, sealed.subarray(named.sealPrefix.length), purpose)
      // Sealed before there were key ids, or with an unknown key: only trying shows which.
      for (const { sealKey } of all)
        try {
          return decrypt(sealKey, sealed, purpose)
        } catch {}
      throw new Error('No key decrypts this.')
    },
    digest: current.digest,
    previousDigests: (text, purpose) => previous.map(({ digest }) => digest(text, purpose)),
    matchesDigest: (given, text, purpose) =>
      all.some(({ digest }) => {
        const expected = digest(text, purpose)
        return given.length === expected.length && timingSafeEqual(given, expected)
      }),
    tokenKeys: [current.tokenKey, ...previous.map(({ tokenKey }) => tokenKey)],
  }
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest()
