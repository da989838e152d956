import { importWithRetry } from './import-with-retry.ts'

const shownMs = 6000

export const loadNotifications = () => importWithRetry(() => import('@mantine/notifications'))

const listeners = new Set<() => void>()
let hasBeen = false

/** Signals the first notice, so that its code is loaded. */
export const firstNotice = {
  hasBeen: () => hasBeen,
  listen: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

async function show(message: string, color: string, role: 'status' | 'alert', details?: string) {
  hasBeen = true
  for (const listener of listeners) listener()
  const { notifications } = await loadNotifications()
  notifications.show({
    ...(details === undefined ? { message } : { title: message, message: details }),
    color,
    role,
    autoClose: shownMs,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Close' },
  })
}

/** A short message in the corner of the page that closes automatically. */
export const notice = {
  /** `details` are shown below the message. */
  success: (message: string, details?: string) => void show(message, 'green', 'status', details),
  error: (message: string) => void show(message, 'red', 'alert'),
}
