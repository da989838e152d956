import { access } from './access.ts'
import { apiTokens } from './api-tokens.ts'
import { audit } from './audit.ts'
import { availability } from './availability.ts'
import { bulk } from './bulk.ts'
import { commands } from './commands.ts'
import { deliveries } from './deliveries.ts'
import { events } from './events.ts'
import { executive } from './executive.ts'
import { factors } from './factors.ts'
import { fleetMetrics } from './fleet-metrics.ts'
import { identity } from './identity.ts'
import { incidents } from './incidents.ts'
import { maintenance } from './maintenance.ts'
import { personalData } from './personal-data.ts'
import { plans } from './plans.ts'
import { profile } from './profile.ts'
import { rehearsal } from './rehearsal.ts'
import { reports } from './reports.ts'
import { savedViews } from './saved-views.ts'
import { securityEvents } from './security-events.ts'
import { serviceLines } from './service-lines.ts'
import { sessions } from './sessions.ts'
import { shareLinks } from './share-links.ts'
import { singleSignOn } from './single-sign-on.ts'
import { support } from './support.ts'
import { tenantSettings } from './tenant-settings.ts'
import { tenants } from './tenants.ts'
import { terminalDetail } from './terminal-detail.ts'
import { terminals } from './terminals.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'

/** Every call of the API: the server mounts it, the web client and the OpenAPI document are derived from it. */
export const api = {
  tenants,
  tenantSettings,
  identity,
  singleSignOn,
  terminals,
  fleetMetrics,
  terminalDetail,
  serviceLines,
  commands,
  access,
  users,
  audit,
  securityEvents,
  profile,
  sessions,
  factors,
  apiTokens,
  rehearsal,
  deliveries,
  events,
  incidents,
  maintenance,
  availability,
  reports,
  bulk,
  savedViews,
  shareLinks,
  personalData,
  plans,
  executive,
  support,
  webhooks,
}
