import { type ComponentType, lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { firstNotice, loadNotifications } from './notice.ts'

// Nothing else on the page may break because a notice cannot be shown.
const Corner = lazy<ComponentType<{ position: 'top-center' }>>(() =>
  loadNotifications().then(
    ({ Notifications }) => ({ default: Notifications }),
    () => ({ default: () => null }),
  ),
)

/** By then a page on a slow link has what it shows. */
const aheadAfterMs = 10_000

/** Where notices appear; their code comes after everything else, or with the first of them. */
export function Notices() {
  const hasAny = useSyncExternalStore(firstNotice.listen, firstNotice.hasBeen)
  useEffect(() => {
    // Many a notice says that the server cannot be reached; its code could not be fetched then.
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
