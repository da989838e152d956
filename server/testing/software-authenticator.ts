import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { NewPasskey, PasskeyProof } from '#contract/passkeys.ts'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const encode = (data: string | Uint8Array) => Buffer.from(data).toString('base64url')

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

interface Passkey {
  id: string
  rpId: string
  userHandle: string
  privateKey: KeyObject
  counter: number
}

interface Conditions {
  /** The origin of the requesting page, as the browser sees it. */
  origin: string
  isVerified?: boolean
}

const buildClientData = (type: 'webauthn.create' | 'webauthn.get', challenge: string, origin: string) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

const buildAuthenticatorData = (
  { rpId, counter }: Pick<Passkey, 'rpId' | 'counter'>,
  flags: number,
  credential: Buffer = Buffer.alloc(0),
) => {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, credential])
}

/** The key in COSE format: ES256 on P-256. */
const toCoseKey = (publicKey: KeyObject) => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const part = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
  const key = new Map<number, number | Uint8Array>([
    ...([
      [1, 2],
      [3, -7],
      [-1, 1],
    ] as const),
    ...([
      [-2, part(x)],
      [-3, part(y)],
    ] as const),
  ])
  return Buffer.from(isoCBOR.encode(key))
}

/** An authenticator with keys in memory; tests decide what it gets wrong. */
export const createSoftwareAuthenticator = () => ({
  create: (
    options: { challenge: string; rp: { id: string }; user: { id: string } },
    { origin, isVerified = true }: Conditions,
  ) => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const id = randomBytes(16)
    const passkey: Passkey = {
      id: encode(id),
      rpId: options.rp.id,
      userHandle: options.user.id,
      privateKey,
      counter: 0,
    }
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const credential = Buffer.concat([Buffer.alloc(16), length, id, toCoseKey(publicKey)])
    const flags = USER_PRESENT | HAS_CREDENTIAL | (isVerified ? USER_VERIFIED : 0)
    const authData = new Uint8Array(buildAuthenticatorData(passkey, flags, credential))
    const attestation = new Map<string, string | Map<string, never> | Uint8Array>([
      ...([
        ['fmt', 'none'],
        ['attStmt', new Map<string, never>()],
        ['authData', authData],
      ] as const),
    ])
    const response: NewPasskey = {
      id: passkey.id,
      clientDataJSON: encode(buildClientData('webauthn.create', options.challenge, origin)),
      attestationObject: encode(isoCBOR.encode(attestation)),
      transports: ['internal'],
    }
    return { passkey, response }
  },

  /** Increments the counter, unless `counter` is given. */
  sign: (
    passkey: Passkey,
    options: { challenge: string },
    { origin, isVerified = true, counter = passkey.counter + 1 }: Conditions & { counter?: number },
  ): PasskeyProof => {
    passkey.counter = counter
    const clientData = buildClientData('webauthn.get', options.challenge, origin)
    const data = buildAuthenticatorData(passkey, USER_PRESENT | (isVerified ? USER_VERIFIED : 0))
    const signature = createSign('sha256')
      .update(Buffer.concat([data, sha256(clientData)]))
      .sign(passkey.privateKey)
    return {
      id: passkey.id,
      userHandle: passkey.userHandle,
      clientDataJSON: encode(clientData),
      authenticatorData: encode(data),
      signature: encode(signature),
    }
  },
})

export type SoftwarePasskey = Passkey
