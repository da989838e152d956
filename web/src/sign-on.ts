import { singleSignOn } from '#contract/single-sign-on.ts'
import { call } from './api.ts'

const storageKey = 'sso-return-to'

/** Leads the browser to the provider. */
export async function startSignOn() {
  sessionStorage.removeItem(storageKey)
  const { location: address } = await call(singleSignOn.start, {})
  location.assign(address)
}

/** Has the user prove at the provider who they are, and come back to this page. */
export async function startConfirmation() {
  const { location: address } = await call(singleSignOn.start, { confirm: true })
  sessionStorage.setItem(storageKey, `${location.pathname}${location.search}`)
  location.assign(address)
}

/** The page of a confirmation that is under way. */
export const findConfirmedPage = () => sessionStorage.getItem(storageKey) ?? undefined
export const clearConfirmedPage = () => sessionStorage.removeItem(storageKey)
