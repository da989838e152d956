import { useEffect, useEffectEvent, useState } from 'react'
import { identity } from '#contract/identity.ts'
import type { PasskeyProof } from '#contract/passkeys.ts'
import type { RouteInput } from '#contract/route.ts'
import { call, getErrorMessage } from '../../api.ts'
import { useTenantId } from '../../brand/tenant.ts'
import { canOfferPasskeys, endPasskeyOffer, isDismissal, signWithPasskey } from '../../parts/passkeys.ts'
import { useCompleteSignIn } from './use-complete-sign-in.ts'

const tenantMissing = 'Tenant information is missing. Please try again.'

type Use = RouteInput<typeof identity.startPasskey>['use']

/** Signs in with a passkey, after the password or instead of it. */
export function usePasskey(use: Use, onNewUser: () => void) {
  const tenant = useTenantId()
  const completeSignIn = useCompleteSignIn(onNewUser)
  const [problem, setProblem] = useState<string>()
  const [pending, setPending] = useState(false)
  const finish = async (getProof: (tenant: string) => Promise<PasskeyProof>) => {
    if (!tenant) return setProblem(tenantMissing)
    setProblem(undefined)
    setPending(true)
    try {
      const signedIn = await call(identity.signInWithPasskey, { use, proof: await getProof(tenant), tenant })
      await completeSignIn(signedIn, 'Login succeeded but no token received. Please try again.')
    } catch (error) {
      if (!isDismissal(error)) setProblem(getErrorMessage(error))
    } finally {
      setPending(false)
    }
  }
  const signIn = () =>
    finish(async (tenant) => {
      const { options } = await call(identity.startPasskey, { use, tenant })
      return signWithPasskey(options)
    })
  return { signIn, signInWith: (proof: PasskeyProof) => finish(async () => proof), pending, problem }
}

/** A challenge is valid for five minutes, and only the latest one of the browser counts. */
const VALID_MS = 4 * 60_000

/**
 * Makes the browser offer this site's passkeys in the autofill of the email address. Users without one see nothing, and
 * failures are silent, because the user did not request it.
 */
export function usePasskeyAutofill({
  pending,
  signInWith,
}: Pick<ReturnType<typeof usePasskey>, 'pending' | 'signInWith'>) {
  const tenant = useTenantId()
  const choose = useEffectEvent(signInWith)
  // A new offer would cancel the dialog that the user has opened.
  const isBusy = useEffectEvent(() => pending || document.visibilityState !== 'visible')
  useEffect(() => {
    if (!tenant) return
    let isLeft = false
    let isOffered = false
    let offeredAtMs = 0
    const offer = async () => {
      if (isBusy() || !(await canOfferPasskeys()) || isLeft) return
      offeredAtMs = Date.now()
      const { options } = await call(identity.startPasskey, { use: 'only factor', tenant })
      if (isLeft || isBusy()) return
      isOffered = true
      await choose(await signWithPasskey(options, true))
    }
    const offerQuietly = () => void offer().catch(() => {})
    const renew = () => {
      if (offeredAtMs > 0 && Date.now() - offeredAtMs > VALID_MS) offerQuietly()
    }
    offerQuietly()
    document.addEventListener('visibilitychange', offerQuietly)
    document.addEventListener('focusin', renew)
    return () => {
      document.removeEventListener('focusin', renew)
      document.removeEventListener('visibilitychange', offerQuietly)
      isLeft = true
      if (isOffered) void endPasskeyOffer()
    }
  }, [tenant])
}
