import { createHash, createHmac, createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto'

/** Seals entries and signs anchors. Derived from SECRET_KEY, so the database does not contain it. */
export interface AuditKey {
  id: string
  seal: (hash: Buffer) => Buffer
  sign: (text: string) => Buffer
  /** Verifies the signatures; SPKI in base64. Not secret. */
  publicKey: string
}

// The PKCS #8 header of an Ed25519 key; the 32 bytes of the key follow it.
const ED25519_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The id of a public key: the first half of its SHA-256. */
export const computeKeyId = (publicKey: string) =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex').slice(0, 32)

export const deriveAuditKey = (secretKey: string): AuditKey => {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secretKey, 'dishboard', use, 32))
  const sealKey = derive('audit-seal')
  const privateKey = createPrivateKey({
    key: Buffer.concat([ED25519_HEADER, derive('audit-signature')]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64')
  return {
    id: computeKeyId(publicKey),
    publicKey,
    seal: (hash) => createHmac('sha256', sealKey).update(hash).digest(),
    sign: (text) => sign(null, Buffer.from(text), privateKey),
  }
}

let keys: AuditKey[] = []

/**
 * Sets this process's keys, once when it opens its installation: the first signs, all verify. They are not passed as
 * arguments, because every change in every capability writes an entry. Entries of a process without keys have no seal,
 * and verification reports them.
 */
export const loadAuditKeys = (secretKeys: readonly string[]) => {
  keys = secretKeys.map(deriveAuditKey)
}

export const getCurrentKey = (): AuditKey | undefined => keys[0]

export const findAuditKey = (id: string) => keys.find((key) => key.id === id)
