import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { type CurrentUser, identity, type SignIn } from '#contract/identity.ts'
import { call, isUnreachable } from '../../api.ts'
import { continueTo } from '../../continue-to.ts'
import { findMailRecipient } from '../../mail-link.ts'
import { replaceSession, sessionQuery } from '../../session.ts'
import { tokens } from '../../tokens.ts'

/**
 * Stores the tokens of a sign-in and loads the user. Continues to the home page, to the target of a mail's link, or to the
 * form for a required second factor, or calls `onNewUser` for new users.
 */
export function useCompleteSignIn(onNewUser: () => void) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const router = useRouter()
  return async ({ access, refresh, newUser }: SignIn, missing: string) => {
    if (!access) throw new Error(missing)
    await replaceSession({ access, refresh })
    let user: CurrentUser
    try {
      // Not through the query: a refusal clears the tokens, which cancels every query before it can report the error.
      user = await call(identity.verifyToken, {})
      queries.setQueryData(sessionQuery.queryKey, user)
    } catch (error) {
      if (!isUnreachable(error)) tokens.clear()
      throw error
    }
    const requested = continueTo.find()
    if (newUser) onNewUser()
    else if (requested && findMailRecipient(requested) !== undefined && !user.mustAddFactor)
      router.history.push(requested)
    else await navigate({ to: user.mustAddFactor ? '/profile' : '/' })
  }
}
