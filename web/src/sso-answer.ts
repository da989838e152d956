import { CALLBACK_PATH } from '#contract/sso-paths.ts'

let answer: string | undefined

/**
 * Moves the provider's response from the URL into memory. Runs before the router, which would rewrite the query, and
 * before other code could read the authorization code.
 */
export function takeSsoAnswer() {
  if (location.pathname !== CALLBACK_PATH || location.search === '') return
  answer = location.search.slice(1)
  history.replaceState(history.state, '', CALLBACK_PATH)
}

export const getSsoAnswer = () => answer
