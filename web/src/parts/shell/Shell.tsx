import { Outlet, useLocation, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useAccessPolling } from '../../access-polling.ts'
import { useBrandTitle } from '../../brand/use-brand-title.ts'
import { useDataSaver } from '../../data-saver.ts'
import { usePage } from '../../pages.ts'
import { useAt } from '../../past-search.ts'
import { useSession } from '../../session.ts'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import { FixedNow } from '../../ui/use-now.ts'
import { BusyNotice } from './BusyNotice.tsx'
import { ConfirmationQuestion } from './ConfirmationQuestion.tsx'
import { ContinueOffer } from './ContinueOffer.tsx'
import { Footer } from './Footer.tsx'
import { Navbar } from './Navbar.tsx'
import { PageGuard } from './PageGuard.tsx'
import classes from './Shell.module.css'
import { HelpDeskEntry } from './TicketEntry.tsx'

const DataSaverNotice = lazy(() =>
  importWithRetry(() => import('./DataSaverNotice.tsx')).then((it) => ({ default: it.DataSaverNotice })),
)
const PastBar = lazy(() => importWithRetry(() => import('../past/PastBar.tsx')).then((it) => ({ default: it.PastBar })))

/** The frame around every page. */
export function Shell() {
  useAccessPolling()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const at = useAt()
  const saver = useDataSaver()
  const session = useSession()
  const { showsPast = false, access } = usePage()
  // The wall is full screen, without the frame.
  const isWall = useSearch({ strict: false }).view === 'wall' && path === '/dashboard'
  const isPast = at !== undefined && access !== 'public'
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      {!isWall && <Navbar />}
      <BusyNotice />
      {!isWall && <ContinueOffer />}
      {!isWall && session.state === 'signed in' && saver.isOn && saver.reason !== 'chosen' && (
        <Suspense>
          <DataSaverNotice saver={saver} />
        </Suspense>
      )}
      {isPast && (
        <Suspense>
          <PastBar at={at} showsPast={showsPast} />
        </Suspense>
      )}
      {/* A new key restarts the fade for each page. */}
      <main id="content" tabIndex={-1} key={path} className={classes.content}>
        <PageTitle />
        <FixedNow value={isPast && showsPast ? Date.parse(at) : undefined}>
          <PageGuard>
            <Outlet />
          </PageGuard>
        </FixedNow>
      </main>
      {!isWall && <Footer />}
      {/* After the page: of two widgets, the one mounted last is shown. */}
      {!isWall && <HelpDeskEntry />}
      <ConfirmationQuestion />
    </div>
  )
}

/** Rendered before the page, so that a page whose title depends on its data can override it. */
function PageTitle() {
  useBrandTitle(usePage().title)
  return null
}
