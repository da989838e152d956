import { useLocation } from '@tanstack/react-router'
import { useTenantConfig } from '../../brand/tenant.ts'
import { TicketButton } from '../ticket/TicketButton.tsx'
import { HelpDesk } from '../widgets/HelpDesk.tsx'

/** How tickets are opened here; the support page has its own ways to reach people. */
export function TicketEntry() {
  const { ticket, freshdesk_script } = useTenantConfig()
  const onSupport = useLocation({ select: ({ pathname }) => /^\/support\/?$/.test(pathname) })
  if (onSupport) return null
  if (ticket === 'email') return <TicketButton />
  if (ticket === 'freshdesk' && freshdesk_script) return <HelpDesk address={freshdesk_script} />
  return null
}
