import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { SignIn } from '#contract/identity.ts'
import { sessionQuery } from '../../session.ts'
import { tokens } from '../../tokens.ts'

/** Stores the tokens of a finished sign-in, asks who that is, and goes home. */
export function useEnter() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async ({ access, refresh }: SignIn, missing: string) => {
    if (!access) throw new Error(missing)
    // Whoever was signed in here before leaves nothing to the next person.
    tokens.clear()
    tokens.store({ access, refresh })
    await queries.fetchQuery(sessionQuery)
    await navigate({ to: '/' })
  }
}
