import { openDatabase } from '#server/db.ts'
import type { Installation } from '#server/installation.ts'
import { createTenant } from '#server/tenants/create-tenant.ts'
import { widgets } from './addresses.ts'

/** A reseller that brings its own chatbot and its own help desk, from a host of theirs. */
export async function addWidgetsTenant({ owner }: Installation) {
  if (!owner) throw new Error('The database of the browser tests belongs to them.')
  const database = openDatabase(owner, () => {})
  const by = { performer: 'e2e', now: new Date() }
  const config = {
    company_name: 'Widgets',
    chatbotEnabled: true,
    chatbot_script: widgets.chatbot,
    ticket: 'freshdesk' as const,
    freshdesk_script: widgets.helpDesk,
  }
  await database.transaction({ tenantId: 'widgets' }, (db) =>
    createTenant(db, by, { id: 'widgets', hosts: [], config }),
  )
  await database.close()
}
