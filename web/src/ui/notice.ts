import { notifications } from '@mantine/notifications'

const shownMs = 6000

const show = (message: string, color: string, role: 'status' | 'alert') =>
  notifications.show({
    message,
    color,
    role,
    autoClose: shownMs,
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Close' },
  })

/** A short word in the corner of the page; it leaves by itself. */
export const notice = {
  good: (message: string) => show(message, 'green', 'status'),
  bad: (message: string) => show(message, 'red', 'alert'),
}
