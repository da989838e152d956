import { useLocation } from '@tanstack/react-router'
import { useTenantConfig } from '../../brand/tenant.ts'
import { TicketButton } from '../ticket/TicketButton.tsx'
import { HelpDesk } from '../widgets/HelpDesk.tsx'

/** How tickets are opened on this page. The support page has contact options of its own. */
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
  return ticket === 'freshdesk' && freshdesk_script ? <HelpDesk address={freshdesk_script} /> : null
}
