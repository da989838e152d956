const storageKey = 'mail-link'

/** Moves the recipient in a mail's link from the URL into this tab's storage. Runs before the router. */
export function takeMailRecipient() {
  const email = new URLSearchParams(location.hash.slice(1)).get('for')
  if (email === null) return
  sessionStorage.setItem(storageKey, `${location.pathname} ${email}`)
  history.replaceState(history.state, '', location.pathname + location.search)
}

/** The recipient of the mail whose link opened the page; undefined if it was opened otherwise. */
export function findMailRecipient(href: string | undefined) {
  const [path, email] = sessionStorage.getItem(storageKey)?.split(' ') ?? []
  return path !== undefined && href?.split('?')[0] === path ? email : undefined
}
