import type { Installation } from '#server/process/installation.ts'
import { addTenant } from './add-tenant.ts'
import { widgets } from './addresses.ts'

/** A tenant with its own chatbot and help desk scripts. */
export const addWidgetsTenant = (installation: Installation) =>
  addTenant(installation, 'widgets', {
    company_name: 'Widgets',
    chatbotEnabled: true,
    chatbot_script: widgets.chatbot,
    ticket: 'freshdesk',
    freshdesk_script: widgets.helpDesk,
  })
