import { type ComponentType, lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { firstNotice, loadNotifications } from './notice.ts'

// A notice that cannot be shown must not break the page.
const Corner = lazy<ComponentType<{ position: 'top-center' }>>(() =>
  loadNotifications().then(
    ({ Notifications }) => ({ default: Notifications }),
    () => ({ default: () => null }),
  ),
)

/** By then, a page on a slow link has loaded its content. */
const aheadAfterMs = 10_000

/** Where notices appear. Their code is loaded after everything else, or with the first notice. */
export function Notices() {
  const hasAny = useSyncExternalStore(firstNotice.listen, firstNotice.hasBeen)
  useEffect(() => {
    // A notice often reports that the server is unreachable, when its code could not be loaded.
    const timer = setTimeout(() => loadNotifications().catch(() => undefined), aheadAfterMs)
    return () => clearTimeout(timer)
  }, [])
  if (!hasAny) return null
  return (
    <Suspense>
      <Corner position="top-center" />
    </Suspense>
  )
}
