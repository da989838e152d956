import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTenantConfig } from '../../brand/tenant.ts'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import { TicketButton } from '../ticket/TicketButton.tsx'

const HelpDesk = lazy(() =>
  importWithRetry(() => import('../widgets/HelpDesk.tsx')).then((it) => ({ default: it.HelpDesk })),
)

/** How tickets are opened on this page. The support page has its own contact options. */
function useTicketChannel() {
  const { ticket, freshdesk_script } = useTenantConfig()
  const onSupport = useLocation({ select: ({ pathname }) => /^\/support\/?$/.test(pathname) })
  return onSupport ? {} : { ticket, freshdesk_script }
}

export function TicketEntry() {
  const { ticket } = useTicketChannel()
  return ticket === 'email' ? <TicketButton /> : null
}

export function HelpDeskEntry() {
  const { ticket, freshdesk_script } = useTicketChannel()
  if (ticket !== 'freshdesk' || !freshdesk_script) return null
  return (
    <Suspense>
      <HelpDesk address={freshdesk_script} />
    </Suspense>
  )
}
