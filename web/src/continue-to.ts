const storageKey = 'continue-to'

const names: Record<string, string> = {
  '/dashboard': 'Dashboard',
  '/terminaltable': 'Terminal Table',
  '/profile': 'Profile',
  '/sms_consent': 'SMS Consent',
  '/admin-page': 'Admin',
  '/access-control': 'Access Control',
  '/dev-dashboard': 'Executive Dashboard',
  '/plan-manager': 'Plan Manager',
  '/editing-logs': 'Editing Logs',
}

/** 'Plan Manager', 'terminal Nome School', or the path itself. */
export function getPageName(href: string) {
  const path = href.split(/[?#]/, 1)[0] as string
  const terminal = /^\/terminal\/([^/]+)$/.exec(path)?.[1]
  return terminal ? `terminal ${decode(terminal)}` : (names[path] ?? path)
}

function decode(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Where a sign-in ends: home, or the profile for new users. */
export const isLanding = (path: string) => path === '/' || path === '/profile'

/** The page that a visitor requested before the sign-in; stored for this tab. */
export const continueTo = {
  find: () => sessionStorage.getItem(storageKey) ?? undefined,
  store: (href: string) => sessionStorage.setItem(storageKey, href),
  clear: () => sessionStorage.removeItem(storageKey),
}
