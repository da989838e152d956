import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { SignIn } from '#contract/identity.ts'
import { isUnreachable } from '../../api.ts'
import { sessionQuery } from '../../session.ts'
import { tokens } from '../../tokens.ts'

const tries = 3

/** Stores the tokens of a finished sign-in and asks who that is; new people are told first, all others go home. */
export function useEnter(onNewUser: () => void) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async ({ access, refresh, newUser }: SignIn, missing: string) => {
    if (!access) throw new Error(missing)
    tokens.store({ access, refresh })
    await queries.fetchQuery({ ...sessionQuery, retry: (count, error) => count < tries && isUnreachable(error) })
    if (newUser) onNewUser()
    else await navigate({ to: '/' })
  }
}
