const storageKey = 'continue-to'

/** Where a sign-in lands: the home page, or the profile for new users. */
export const isLanding = (path: string) => path === '/' || path === '/profile'

/** The page that a visitor requested before signing in; stored for this tab. */
export const continueTo = {
  find: () => sessionStorage.getItem(storageKey) ?? undefined,
  store: (href: string) => sessionStorage.setItem(storageKey, href),
  clear: () => sessionStorage.removeItem(storageKey),
}
