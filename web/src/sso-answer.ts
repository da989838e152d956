import { CALLBACK_PATH } from '#contract/sso-paths.ts'

let answer: string | undefined

/**
 * Takes what the provider of single sign-on sent along out of the address. Runs before the router, which would write the
 * query anew, and before anything else could read the code.
 */
export function takeSsoAnswer() {
  if (location.pathname !== CALLBACK_PATH || location.search === '') return
  answer = location.search.slice(1)
  history.replaceState(history.state, '', CALLBACK_PATH)
}

export const getSsoAnswer = () => answer
