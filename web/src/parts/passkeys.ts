import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { isTransport, type NewPasskey, type PasskeyProof } from '#contract/passkeys.ts'

/** Browsers support passkeys on secure origins only, and not for IP addresses. */
export const hasPasskeys = () =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(window.location.hostname)

/** Whether the user dismissed the browser's dialog, or let it time out, which is not an error. */
export const isDismissal = (error: unknown) =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')

/** Whether the browser can offer passkeys in the autofill of a field. */
export const canOfferPasskeys = async () =>
  hasPasskeys() && ((await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false)

/** Cancels the offer when the page is left. */
export const endPasskeyOffer = async () => {
  const { WebAuthnAbortService } = await import('@simplewebauthn/browser')
  WebAuthnAbortService.cancelCeremony()
}

/** Asks the browser to create a passkey. */
export async function createPasskey(options: Record<string, unknown>): Promise<NewPasskey> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  const { id, response } = await startRegistration({ optionsJSON })
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { id, clientDataJSON, attestationObject, transports: transports.filter(isTransport) }
}

/** Asks the browser to sign with a passkey: now, or when the user selects one in autofill (`isOffer`). */
export async function signWithPasskey(options: Record<string, unknown>, isOffer = false): Promise<PasskeyProof> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  const { id, response } = await startAuthentication({ optionsJSON, useBrowserAutofill: isOffer })
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return { id, clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) }
}
