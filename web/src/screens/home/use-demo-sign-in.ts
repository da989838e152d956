import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { DemoUser } from '#contract/demo.ts'
import { identity } from '#contract/identity.ts'
import { call, getErrorMessage } from '../../api.ts'
import { tenantQuery } from '../../brand/tenant.ts'
import { replaceSession, sessionQuery } from '../../session.ts'
import { storeTenantHint } from '../../tenant-hint.ts'

/** Signs in with a demo user's password, and continues like the sign-in page. */
export function useDemoSignIn() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()

  const enter = async (tenant: string, { email, password }: DemoUser) => {
    const signIn = await call(identity.login, { email, password, tenant })
    const { access, refresh, requires2FA, newUser, factors } = signIn
    if (access) {
      await replaceSession({ access, refresh })
      queries.setQueryData(sessionQuery.queryKey, await call(identity.verifyToken, {}))
    }
    await queries.fetchQuery({ ...tenantQuery, staleTime: 0 })
    const startedSignIn = { ...(requires2FA && { codeSentTo: email, factors }), isNewUser: newUser }
    const to = requires2FA || newUser ? '/login' : '/dashboard'
    await navigate({ to, search: { tenant }, state: { startedSignIn } })
  }

  const signIn = async (tenant: string, user: DemoUser) => {
    setPending(true)
    setProblem(undefined)
    storeTenantHint(tenant)
    try {
      await enter(tenant, user)
    } catch (error) {
      storeTenantHint(undefined)
      setProblem(getErrorMessage(error))
      setPending(false)
    }
  }

  return { signIn, pending, problem }
}
