const storageKey = 'disconnectedSince'

let isLost = false
let isReached = false
const listeners = new Set<() => void>()

/** The server has sent a response. */
export function recordContact() {
  isReached = true
  disconnection.clear()
  if (!isLost) return
  isLost = false
  for (const listener of listeners) listener()
}

/** A response is overdue, and an older one is shown instead. */
export function recordLostContact() {
  isLost = true
}

/** Whether the server has responded since this page was loaded. */
export const wasReached = () => isReached

/** Calls the listener when the server responds again after cached responses were shown. */
export const onContact = (listener: () => void) => void listeners.add(listener)

/** Since when this tab has had no response. It survives a reload. */
export const disconnection = {
  find: () => Number(sessionStorage.getItem(storageKey)) || undefined,
  store: (sinceMs: number) => sessionStorage.setItem(storageKey, String(sinceMs)),
  clear: () => sessionStorage.removeItem(storageKey),
}
