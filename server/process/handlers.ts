import type { api } from '#contract/api.ts'
import { accessHandlers } from '../access/routes.ts'
import { apiTokenHandlers } from '../api-tokens/routes.ts'
import { auditHandlers } from '../audit/routes.ts'
import { createAvailabilityHandlers } from '../availability/routes.ts'
import { bulkHandlers } from '../bulk/routes.ts'
import { commandHandlers } from '../commands/routes.ts'
import { eventHandlers } from '../events/routes.ts'
import { createExecutiveHandlers } from '../executive/routes.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { createFleetHandlers, createFleetMetricsHandlers } from '../fleet/routes.ts'
import { identityHandlers } from '../identity/routes.ts'
import { incidentHandlers } from '../incidents/routes.ts'
import { maintenanceHandlers } from '../maintenance/routes.ts'
import { deliveryHandlers } from '../notifications/deliveries.ts'
import { rehearsalHandlers } from '../notifications/rehearse.ts'
import { personalDataHandlers } from '../personal-data/routes.ts'
import { planHandlers } from '../plans/routes.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { factorHandlers } from '../profile/own-factors.ts'
import { profileHandlers, sessionHandlers } from '../profile/routes.ts'
import { reportHandlers } from '../reports/routes.ts'
import { savedViewHandlers } from '../saved-views/routes.ts'
import { securityEventHandlers } from '../security-events/routes.ts'
import { serviceLineHandlers } from '../service-lines/routes.ts'
import { shareLinkHandlers } from '../share-links/routes.ts'
import { logOut } from '../single-sign-on/log-out.ts'
import { singleSignOnHandlers } from '../single-sign-on/routes.ts'
import { refreshSession } from '../single-sign-on/sessions.ts'
import { supportHandlers } from '../support/routes.ts'
import { tenantSettingsHandlers } from '../tenant-settings/routes.ts'
import { tenantHandlers } from '../tenants/routes.ts'
import { terminalDetailHandlers } from '../terminal-detail/routes.ts'
import { createPastLists } from '../time-travel/past-lists.ts'
import { userHandlers } from '../users/routes.ts'
import { webhookHandlers } from '../webhooks/routes.ts'

/** The handler of every call in the contract. */
export const createHandlers = (fleet: Fleet): { [Name in keyof typeof api]: Handlers<(typeof api)[Name]> } => ({
  tenants: tenantHandlers,
  tenantSettings: tenantSettingsHandlers,
  identity: {
    ...identityHandlers,
    // A single sign-on session also depends on the identity provider.
    refresh: refreshSession,
    logout: logOut,
  },
  singleSignOn: singleSignOnHandlers,
  terminals: createFleetHandlers(fleet, createPastLists()),
  fleetMetrics: createFleetMetricsHandlers(fleet),
  access: accessHandlers,
  terminalDetail: terminalDetailHandlers,
  serviceLines: serviceLineHandlers,
  commands: commandHandlers,
  users: userHandlers,
  audit: auditHandlers,
  securityEvents: securityEventHandlers,
  profile: profileHandlers,
  sessions: sessionHandlers,
  factors: factorHandlers,
  apiTokens: apiTokenHandlers,
  rehearsal: rehearsalHandlers,
  deliveries: deliveryHandlers,
  events: eventHandlers,
  incidents: incidentHandlers,
  maintenance: maintenanceHandlers,
  availability: createAvailabilityHandlers(),
  reports: reportHandlers,
  bulk: bulkHandlers,
  savedViews: savedViewHandlers,
  shareLinks: shareLinkHandlers,
  personalData: personalDataHandlers,
  plans: planHandlers,
  executive: createExecutiveHandlers(),
  support: supportHandlers,
  webhooks: webhookHandlers,
})
