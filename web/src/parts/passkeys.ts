import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { isTransport, type NewPasskey, type PasskeyProof } from '#contract/passkeys.ts'

/** Browsers have passkeys on secure pages only, and for names, not for addresses. */
export const hasPasskeys = () =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(window.location.hostname)

/** Whether the user dismissed the dialog of the browser, or let it time out: nothing to report. */
export const isDismissal = (error: unknown) =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')

/** Whether the browser can offer passkeys where it fills in a name. */
export const canOfferPasskeys = async () =>
  hasPasskeys() && ((await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false)

/** Ends the offer, so that a page that is left asks for nothing. */
export const endPasskeyOffer = async () => {
  const { WebAuthnAbortService } = await import('@simplewebauthn/browser')
  WebAuthnAbortService.cancelCeremony()
}

/** Has the browser create a passkey. */
export async function createPasskey(options: Record<string, unknown>): Promise<NewPasskey> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  const { id, response } = await startRegistration({ optionsJSON })
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { id, clientDataJSON, attestationObject, transports: transports.filter(isTransport) }
}

/** Has the browser sign with a passkey: now, or when the user chooses one where it fills in a name (`isOffer`). */
export async function signWithPasskey(options: Record<string, unknown>, isOffer = false): Promise<PasskeyProof> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  const { id, response } = await startAuthentication({ optionsJSON, useBrowserAutofill: isOffer })
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return { id, clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) }
}
