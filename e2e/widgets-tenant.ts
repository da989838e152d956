import type { Installation } from '#server/process/installation.ts'
import { addTenant } from './add-tenant.ts'
import { widgets } from './addresses.ts'

/** A reseller that brings its own chatbot and its own help desk, from a host of theirs. */
export const addWidgetsTenant = (installation: Installation) =>
  addTenant(installation, 'widgets', {
    company_name: 'Widgets',
    chatbotEnabled: true,
    chatbot_script: widgets.chatbot,
    ticket: 'freshdesk',
    freshdesk_script: widgets.helpDesk,
  })
