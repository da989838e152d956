const storageKey = 'mail-link'

/** Takes the recipient that a link in a mail names out of the address, for this tab. Runs before the router. */
export function takeMailRecipient() {
  const email = new URLSearchParams(location.hash.slice(1)).get('for')
  if (email === null) return
  sessionStorage.setItem(storageKey, `${location.pathname} ${email}`)
  history.replaceState(history.state, '', location.pathname + location.search)
}

/** Whom the mail was for that a page was opened from; undefined if it was opened otherwise. */
export function findMailRecipient(href: string | undefined) {
  const [path, email] = sessionStorage.getItem(storageKey)?.split(' ') ?? []
  return path !== undefined && href?.split('?')[0] === path ? email : undefined
}
