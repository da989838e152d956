import { singleSignOn } from '#contract/single-sign-on.ts'
import { call } from './api.ts'

const storageKey = 'sso-return-to'

/** Redirects the browser to the provider. */
export async function startSignOn() {
  sessionStorage.removeItem(storageKey)
  const { location: address } = await call(singleSignOn.start, {})
  location.assign(address)
}

/** Reauthenticates the user at the provider, and returns to this page. */
export async function startConfirmation() {
  const { location: address } = await call(singleSignOn.start, { confirm: true })
  sessionStorage.setItem(storageKey, `${location.pathname}${location.search}`)
  location.assign(address)
}

/** The page to return to, while a confirmation is in progress. */
export const findConfirmedPage = () => sessionStorage.getItem(storageKey) ?? undefined
export const clearConfirmedPage = () => sessionStorage.removeItem(storageKey)
