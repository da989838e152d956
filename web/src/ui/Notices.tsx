import { lazy, Suspense, useSyncExternalStore } from 'react'
import { firstNotice, loadNotifications } from './notice.ts'

const Corner = lazy(() => loadNotifications().then(({ Notifications }) => ({ default: Notifications })))

/** Where notices appear; its code comes with the first of them. */
export function Notices() {
  const hasAny = useSyncExternalStore(firstNotice.listen, firstNotice.hasBeen)
  if (!hasAny) return null
  return (
    <Suspense>
      <Corner position="top-center" />
    </Suspense>
  )
}
