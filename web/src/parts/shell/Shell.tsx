import { Outlet, useLocation } from '@tanstack/react-router'
import { useAccessPolling } from '../../access-polling.ts'
import { useBrandTitle } from '../../brand/use-brand-title.ts'
import { usePage } from '../../pages.ts'
import { BusyNotice } from './BusyNotice.tsx'
import { ContinueOffer } from './ContinueOffer.tsx'
import { Footer } from './Footer.tsx'
import { Navbar } from './Navbar.tsx'
import { PageGuard } from './PageGuard.tsx'
import { PasswordQuestion } from './PasswordQuestion.tsx'
import classes from './Shell.module.css'
import { HelpDeskEntry } from './TicketEntry.tsx'

/** The frame around every page. */
export function Shell() {
  useAccessPolling()
  const path = useLocation({ select: ({ pathname }) => pathname })
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <Navbar />
      <BusyNotice />
      <ContinueOffer />
      {/* A new key restarts the fade for each page. */}
      <main id="content" tabIndex={-1} key={path} className={classes.content}>
        <PageTitle />
        <PageGuard>
          <Outlet />
        </PageGuard>
      </main>
      <Footer />
      {/* After the page: of two widgets, the one mounted last is shown. */}
      <HelpDeskEntry />
      <PasswordQuestion />
    </div>
  )
}

/** Comes before the page, so that a page whose title depends on its data can replace this one. */
function PageTitle() {
  useBrandTitle(usePage().title)
  return null
}
