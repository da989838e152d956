/** The two tokens, in local storage under the names that the product spec gives. */
export const tokens = {
  get access() {
    return localStorage.getItem('access')
  },
  get refresh() {
    return localStorage.getItem('refresh')
  },
  store({ access, refresh }: { access: string; refresh?: string | null }) {
    localStorage.setItem('access', access)
    if (refresh) localStorage.setItem('refresh', refresh)
    notifyListeners()
  },
  /** Continues with a wall token, which is not renewed. */
  storeWall(access: string) {
    localStorage.removeItem('refresh')
    localStorage.setItem('access', access)
    notifyListeners()
  },
  /** Logging out leaves the refresh token behind; the server has ended its session. */
  dropAccess() {
    localStorage.removeItem('access')
    notifyListeners()
  },
  clear() {
    localStorage.removeItem('access')
    localStorage.removeItem('refresh')
    notifyListeners()
  },
}

const listeners = new Set<() => void>()
const notifyListeners = () => {
  for (const listener of listeners) listener()
}

/** Calls the listener on changes in this tab and, by the storage event, in every other tab of the browser. */
export function onTokensChange(listener: () => void) {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** The claims of the token. Only a hint: the server decides. */
export function readClaims(access: string): Record<string, unknown> | undefined {
  const claims = access.split('.')[1]
  if (!claims) return undefined
  try {
    return JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return undefined
  }
}

export function isExpired(access: string, nowS = Date.now() / 1000) {
  const exp = readClaims(access)?.exp
  return typeof exp === 'number' && exp <= nowS
}

/** A wall token is an API token. */
export const isWallToken = (access: string | null) => access?.startsWith('dsb_') === true
