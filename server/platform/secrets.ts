import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

export interface Secrets {
  /** Encrypts for storage; `purpose` binds the text to its place, so one row's secret does not open in another. */
  seal: (text: string, purpose: string) => Buffer
  open: (sealed: Buffer, purpose: string) => string
  /** A keyed hash: for secrets so short that a plain hash could be tried out. */
  digest: (text: string, purpose: string) => Buffer
  tokenKey: Uint8Array
}

const derive = (key: string, use: string) => new Uint8Array(hkdfSync('sha256', key, 'dishboard', use, 32))

/** Everything secret comes from one key, SECRET_KEY, by one derivation per use. */
export const deriveSecrets = (secretKey: string): Secrets => {
  const sealKey = derive(secretKey, 'seal')
  const digestKey = derive(secretKey, 'digest')
  return {
    tokenKey: derive(secretKey, 'access-token'),
    digest: (text, purpose) => createHmac('sha256', digestKey).update(`${purpose}\n${text}`).digest(),
    seal: (text, purpose) => {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', sealKey, iv).setAAD(Buffer.from(purpose))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed])
    },
    open: (sealed, purpose) => {
      const decipher = createDecipheriv('aes-256-gcm', sealKey, sealed.subarray(0, 12))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(sealed.subarray(12, 28))
      return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
    },
  }
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest()
