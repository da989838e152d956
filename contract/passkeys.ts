import * as z from 'zod/mini'
import { choice, textLike } from './text.ts'

// @__NO_SIDE_EFFECTS__
function bytes(max: number) {
  return textLike(max, /^[\w-]+$/, 'This is not base64url.')
}

/** The WebAuthn options, as JSON, with which a browser creates or uses a passkey. */
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

/** An assertion that a passkey signed. */
export const PasskeyProof = z.strictObject({
  id: bytes(1400),
  clientDataJSON: bytes(2048),
  authenticatorData: bytes(2048),
  signature: bytes(2048),
  /** Identifies the user; only returned by authenticators that store it. */
  userHandle: z.optional(bytes(100)),
})
export type PasskeyProof = z.output<typeof PasskeyProof>
