import * as z from 'zod/mini'
import { choice, textLike } from './text.ts'

// @__NO_SIDE_EFFECTS__
function bytes(max: number) {
  return textLike(max, /^[\w-]+$/, 'This is not base64url.')
}

/** What a browser is given to create or use a passkey: the JSON form of the options in WebAuthn. */
export const PasskeyOptions = z.object({ options: z.record(z.string(), z.unknown()) })

const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

/** A new passkey, as the browser returns it; bytes in base64url. */
export const NewPasskey = z.strictObject({
  id: bytes(1400),
  clientDataJSON: bytes(2048),
  attestationObject: bytes(8192),
  transports: z.array(choice(transports)).check(z.maxLength(transports.length, 'These are too many transports.')),
})
export type NewPasskey = z.output<typeof NewPasskey>

export const isTransport = (name: string): name is NewPasskey['transports'][number] =>
  (transports as readonly string[]).includes(name)

/** What a passkey has signed. */
export const PasskeyProof = z.strictObject({
  id: bytes(1400),
  clientDataJSON: bytes(2048),
  authenticatorData: bytes(2048),
  signature: bytes(2048),
  /** Whose passkey it is; only authenticators that remember it return it. */
  userHandle: z.optional(bytes(100)),
})
export type PasskeyProof = z.output<typeof PasskeyProof>
