import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { identity, type SignIn } from '#contract/identity.ts'
import { call, isUnreachable } from '../../api.ts'
import { sessionQuery } from '../../session.ts'
import { tokens } from '../../tokens.ts'

/** Stores the tokens of a finished sign-in and asks who that is; new people are told first, all others go home. */
export function useEnter(onNewUser: () => void) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async ({ access, refresh, newUser }: SignIn, missing: string) => {
    if (!access) throw new Error(missing)
    tokens.store({ access, refresh })
    try {
      // Not by the query: a refusal clears the tokens, and that cancels every query before it can say why.
      queries.setQueryData(sessionQuery.queryKey, await call(identity.verifyToken, {}))
    } catch (error) {
      if (!isUnreachable(error)) tokens.clear()
      throw error
    }
    if (newUser) onNewUser()
    else await navigate({ to: '/' })
  }
}
