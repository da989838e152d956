const storageKey = 'tenant'
const bareHost = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/i

/** On localhost and bare addresses no host name tells the tenant, so the page's query does. */
const isBareHost = (hostname: string) => bareHost.test(hostname)

/** Reads `?tenant=` and remembers it for this tab; addresses inside the app carry it on too. */
export function findTenantHint(): string | undefined {
  if (!isBareHost(location.hostname)) return undefined
  const asked = new URLSearchParams(location.search).get('tenant')
  if (asked) sessionStorage.setItem(storageKey, asked)
  return asked || sessionStorage.getItem(storageKey) || undefined
}

/** Puts a remembered tenant back into the address, so that links opened in new tabs carry it. Runs before the router. */
export function restoreTenantHint() {
  const tenant = findTenantHint()
  const address = new URL(location.href)
  if (!tenant || address.searchParams.has('tenant')) return
  address.searchParams.set('tenant', tenant)
  history.replaceState(history.state, '', address)
}
