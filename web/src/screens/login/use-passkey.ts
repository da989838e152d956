import { useState } from 'react'
import { identity } from '#contract/identity.ts'
import type { RouteInput } from '#contract/route.ts'
import { call, getErrorMessage } from '../../api.ts'
import { useTenantId } from '../../brand/tenant.ts'
import { isDismissal, signWithPasskey } from '../../parts/passkeys.ts'
import { useCompleteSignIn } from './use-complete-sign-in.ts'

const tenantMissing = 'Tenant information is missing. Please try again.'

/** Signs in with a passkey, after the password or instead of it. */
export function usePasskey(use: RouteInput<typeof identity.startPasskey>['use'], onNewUser: () => void) {
  const tenant = useTenantId()
  const completeSignIn = useCompleteSignIn(onNewUser)
  const [problem, setProblem] = useState<string>()
  const [pending, setPending] = useState(false)
  const signIn = async () => {
    if (!tenant) return setProblem(tenantMissing)
    setProblem(undefined)
    setPending(true)
    try {
      const { options } = await call(identity.startPasskey, { use, tenant })
      const signedIn = await call(identity.signInWithPasskey, { use, proof: await signWithPasskey(options), tenant })
      await completeSignIn(signedIn, 'Login succeeded but no token received. Please try again.')
    } catch (error) {
      if (!isDismissal(error)) setProblem(getErrorMessage(error))
    } finally {
      setPending(false)
    }
  }
  return { signIn, pending, problem }
}
