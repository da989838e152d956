import { CALLBACK_PATH } from '#contract/sso-paths.ts'

let response: string | undefined

/**
 * Moves the provider's response from the URL into memory. Runs before the router, which would rewrite the query, and
 * before other code could read the authorization code.
 */
export function takeSsoResponse() {
  if (location.pathname !== CALLBACK_PATH || location.search === '') return
  response = location.search.slice(1)
  history.replaceState(history.state, '', CALLBACK_PATH)
}

export const getSsoResponse = () => response
