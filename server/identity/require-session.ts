import { notForTokens } from '#contract/errors.ts'
import type { Context } from '../platform/context.ts'

/** The request's session. The contract marks calls that need one, so no API token gets here. */
export const requireSessionId = ({ user: { sessionId } }: Pick<Context, 'user'>) => {
  if (sessionId === undefined) throw notForTokens()
  return sessionId
}
