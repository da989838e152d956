import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { singleSignOn } from '#contract/single-sign-on.ts'
import { call, getErrorMessage } from '../../api.ts'
import { clearConfirmedPage, findConfirmedPage } from '../../sign-on.ts'
import { getSsoResponse } from '../../sso-response.ts'
import { MessagePage } from '../../ui/MessagePage.tsx'
import { notice } from '../../ui/notice.ts'
import { Waiting } from '../../ui/Waiting.tsx'
import { useCompleteSignIn } from './use-complete-sign-in.ts'

const MISSING = 'The sign-in service did not sign you in. Please try again.'

/** Completes what began at the provider: a sign-in, or a confirmation of a sensitive change. */
export function SsoCallbackPage() {
  const router = useRouter()
  const completeSignIn = useCompleteSignIn(() => undefined)
  const isSent = useRef(false)
  const finish = useMutation({
    mutationFn: async () => {
      const query = getSsoResponse() ?? ''
      const page = findConfirmedPage()
      clearConfirmedPage()
      if (page === undefined) return completeSignIn(await call(singleSignOn.finish, { query }), MISSING)
      await call(singleSignOn.confirm, { query })
      notice.success('You are confirmed. Please make the change again.')
      router.history.replace(page)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer of the provider counts once
  useEffect(() => {
    if (isSent.current) return
    isSent.current = true
    finish.mutate()
  }, [])
  if (!finish.isError) return <Waiting text="Signing in..." />
  return (
    <MessagePage scene="gate" title="You are not signed in" text={getErrorMessage(finish.error)}>
      <Button component={Link} to="/login" variant="default">
        Back to sign in
      </Button>
    </MessagePage>
  )
}
