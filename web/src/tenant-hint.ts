const storageKey = 'tenant'
const bareHost = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/i

/** On localhost and IP addresses the host does not name the tenant, so the page's query does. */
const isBareHost = (hostname: string) => bareHost.test(hostname)

/** Reads `?tenant=` and stores it for this tab. Links inside the app keep it too. */
export function findTenantHint(): string | undefined {
  if (!isBareHost(location.hostname)) return undefined
  const requested = new URLSearchParams(location.search).get('tenant')
  if (requested) sessionStorage.setItem(storageKey, requested)
  return requested || sessionStorage.getItem(storageKey) || undefined
}

/** Sends this tab's subsequent calls to a tenant, or to none. */
export const storeTenantHint = (tenant: string | undefined) =>
  tenant === undefined ? sessionStorage.removeItem(storageKey) : sessionStorage.setItem(storageKey, tenant)

/** Puts the stored tenant back into the URL, so that links opened in new tabs keep it. Runs before the router. */
export function restoreTenantHint() {
  const tenant = findTenantHint()
  const address = new URL(location.href)
  if (!tenant || address.searchParams.has('tenant')) return
  address.searchParams.set('tenant', tenant)
  history.replaceState(history.state, '', address)
}
