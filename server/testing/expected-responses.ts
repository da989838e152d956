import type { Caller } from './callers.ts'
import { expectedAccountResponses } from './expected-account-responses.ts'
import {
  change,
  type Expected,
  evenBeforePasswordChange,
  failedCommand,
  forAdmins,
  forHolders,
  forUsers,
  onlyOwnGroup,
  read,
} from './expected-statuses.ts'
import { seedSplitIncident } from './seed-incident.ts'
import type { SeededTenants } from './seeded-tenants.ts'

const withLine = (more: object) => (tenants: SeededTenants) => ({ nickname: tenants.lines.north.line, ...more })

const withNumber = (more: object) => (tenants: SeededTenants) => ({
  nickname: tenants.lines.north.line,
  sl: tenants.lines.north.serviceLine,
  ...more,
})

const withDevice = (more: object) => (tenants: SeededTenants) => ({
  nickname: tenants.lines.north.line,
  terminal_id: tenants.lines.north.device,
  ...more,
})

const maintenanceOfNorth = {
  name: 'New mast',
  target: { kind: 'terminal', terminal: 'SL-MARKNORTH' },
  schedule: {
    repeats: 'weekly',
    firstDay: '2026-01-01',
    startMinute: '02:30',
    lengthMinutes: 120,
    days: [1, 7],
    lastDay: null,
  },
}

const reportsForNorth = {
  name: 'Weekly',
  group: 'north',
  period: 'week',
  timeZone: 'UTC',
  sendAt: '07:00',
  recipients: [],
}

const readReport = { ...forUsers(200), 'other group': 404, 'other tenant': 404 }

const withReport = async ({ findReport }: SeededTenants) => ({ id: await findReport() })

const viewOfNorth = {
  page: 'table',
  state: { q: 'pool:north', columns: 'name,status' },
  audience: 'nobody',
  group: null,
}
const changeOfNorth = ({ lines }: SeededTenants) => ({
  terminals: [String(lines.north.id)],
  change: { kind: 'metadata', field: 'metadata3', value: 'Dock 7' },
})
/** All users see the changes that they started themselves. */
const onlyForAdmin = { ...forUsers(404), admin: 200 }
const withOwnBulkChange =
  (state: 'running' | 'finished') =>
  async ({ addBulkChange, superuser, users }: SeededTenants, caller: Caller) => {
    const { rows } = await superuser.query<{ id: number }>(
      "select id from users where tenant_id = 'a' and email = 'service:Walk'",
    )
    return { id: await addBulkChange(caller === 'service token' ? (rows[0]?.id as number) : users.admin.id, state) }
  }

/** Users can see shared views, but not change them. */
const changeSharedView = { ...forUsers(404), admin: 200 }

const webhookOfNorth = {
  name: 'Desk',
  url: 'https://hooks.example/north',
  format: 'standard',
  eventTypes: ['incident.opened'],
  target: { kind: 'terminals', terminals: ['SL-MARKNORTH'] },
}

const withWebhook = (more?: object) => async (tenants: SeededTenants) => ({
  id: (await tenants.addWebhook()).id,
  ...more,
})

const withDelivery = async ({ addWebhook }: SeededTenants) => {
  const { id, delivery_id } = await addWebhook()
  return { id, deliveryId: delivery_id }
}

const withMessage = async ({ addMessage }: SeededTenants) => ({ messageId: await addMessage() })

/** Every call of the contract, with the expected response for each caller. A call without a row fails the walk. */
export const expectedResponses: Record<string, Expected> = {
  ...expectedAccountResponses,

  'terminals.list': read(forUsers(200)),
  'terminals.details': read(forUsers(200)),
  'terminals.live': read(forUsers(200)),
  'fleetMetrics.scrape': read(forUsers(200)),
  'terminalDetail.get': read({ ...forUsers(200), ...onlyOwnGroup }, ({ lines }) => ({
    kitnumber: lines.north.line,
    period: 15,
  })),
  'terminalDetail.read': read({ ...forUsers(200), ...onlyOwnGroup }, ({ lines }) => ({
    kitnumber: lines.north.line,
    period: 15,
  })),
  'terminalDetail.download': read({ ...forUsers(200), ...onlyOwnGroup }, ({ lines }) => ({
    kitnumber: lines.north.kit,
    period: 15,
  })),
  'serviceLines.setMetadata': change(forHolders(200, onlyOwnGroup), (tenants, caller) =>
    withLine({ field: 'metadata2', value: `by ${caller}` })(tenants),
  ),

  // These tenants have no vendor: an authorized caller gets an error that says so. The audit log records the command and its
  // failure.
  'commands.setIpPolicy': failedCommand(withNumber({ ip_policy: 'default' })),
  'commands.setOptIn': failedCommand(withNumber({ opt_in: 'opt out' })),
  'commands.reboot': failedCommand(withDevice({})),
  'commands.setSnowMelt': read(forHolders(409, onlyOwnGroup), withDevice({ snowMeltMode: 'ALWAYS_ON' })),
  'commands.rename': change(forHolders(200, onlyOwnGroup), (tenants, caller) =>
    withNumber({ customname: `Named by ${caller}` })(tenants),
  ),
  'deliveries.list': read(forAdmins(200, 200)),
  'deliveries.get': read(forAdmins(200, 404), withMessage),
  'deliveries.resend': change(forAdmins(200, 404), withMessage),
  'events.list': read(forUsers(200)),
  'incidents.list': read(forUsers(200), () => ({ show: 'all' })),
  'incidents.get': read({ ...forUsers(200), 'other group': 404, 'other tenant': 404 }, ({ lines }) => ({
    id: lines.north.incident,
  })),
  'incidents.acknowledge': change(forAdmins(200, 404), ({ lines }) => ({ id: lines.north.incident, note: 'seen' })),
  'incidents.snooze': change(forAdmins(200, 404), ({ lines }) => ({
    id: lines.north.incident,
    until: '2099-01-01T00:00:00Z',
  })),
  'incidents.merge': change(forAdmins(200, 404), async ({ superuser }) => {
    const { id, apart } = await seedSplitIncident(superuser)
    return { id, incidents: [apart] }
  }),
  'incidents.split': change(forAdmins(200, 404), async ({ superuser }) => {
    const { id, devices } = await seedSplitIncident(superuser)
    return { id, terminals: devices.slice(0, 1) }
  }),
  'incidents.undo': change(forAdmins(200, 404), async ({ superuser }) => {
    const { apart, decision } = await seedSplitIncident(superuser)
    return { id: apart, decision }
  }),
  'maintenance.list': read(forUsers(200)),
  'maintenance.create': change(forAdmins(200, 403), () => maintenanceOfNorth),
  'maintenance.change': change(forAdmins(200, 404), async ({ addWindow }) => ({
    id: await addWindow(),
    ...maintenanceOfNorth,
  })),
  'maintenance.end': change(forAdmins(200, 404), async ({ addWindow }) => ({ id: await addWindow() })),
  'availability.summary': read(forUsers(200), () => ({ period: 'month' })),
  'availability.month': read(forUsers(200)),
  'availability.terminal': read({ ...forUsers(200), ...onlyOwnGroup }, ({ lines }) => ({
    kitnumber: lines.north.line,
    period: 'week',
  })),
  'availability.spans': read(forUsers(200), () => ({ period: 'week', kind: 'down' })),
  'availability.download': read(forUsers(200), () => ({ period: 'year' })),
  'availability.setTarget': change(forAdmins(200, 200), () => ({ group: 'north', percent: 99.5 })),
  'reports.list': read(forUsers(200)),
  'reports.get': read(readReport, withReport),
  'reports.pdf': read(readReport, withReport),
  'reports.csv': read(readReport, withReport),
  'reports.preview': read(forAdmins(200, 200), () => ({ group: 'north', period: 'week', timeZone: 'UTC' })),
  'reports.schedules': read(forAdmins(200, 200)),
  'reports.createSchedule': change(forAdmins(200, 200), () => reportsForNorth),
  'reports.changeSchedule': change(forAdmins(200, 404), async ({ addSchedule }) => ({
    id: await addSchedule(),
    ...reportsForNorth,
  })),
  'reports.deleteSchedule': change(forAdmins(200, 404), async ({ addSchedule }) => ({ id: await addSchedule() })),
  'reports.sendNow': change(forAdmins(200, 404), async ({ addSchedule }) => ({ id: await addSchedule() })),
  'bulk.preview': read(forHolders(200, onlyOwnGroup), changeOfNorth),
  'bulk.start': change(forHolders(200, onlyOwnGroup), changeOfNorth),
  'bulk.list': read(forUsers(200)),
  'bulk.get': read(onlyForAdmin, withOwnBulkChange('finished')),
  'bulk.stop': change(onlyForAdmin, withOwnBulkChange('running')),
  'bulk.undo': change(onlyForAdmin, withOwnBulkChange('finished')),
  'savedViews.list': read(forUsers(200)),
  'savedViews.create': change(forUsers(200), (_, caller) => ({ ...viewOfNorth, name: `Of ${caller}` })),
  'savedViews.change': change(changeSharedView, async ({ addSavedView }) => ({
    id: await addSavedView(),
    ...viewOfNorth,
    name: 'Changed',
  })),
  'savedViews.remove': change(changeSharedView, async ({ addSavedView }) => ({ id: await addSavedView() })),
  'shareLinks.list': read(forAdmins(200, 200)),
  'shareLinks.create': change(forAdmins(200, 403), ({ lines }) => ({
    kind: 'terminal',
    subject: lines.north.line,
    days: 7,
    passPhrase: null,
  })),
  'shareLinks.revoke': change(forAdmins(200, 404), async ({ addShareLink }) => ({ id: (await addShareLink()).id })),

  'plans.list': read(forHolders(200, { 'other group': 200, 'other tenant': 200 })),
  'plans.create': change(forHolders(200, { 'other group': 200, 'other tenant': 200 }), () => ({
    pool_details: { plan_name: 'Pool', usage_limit: 500, assigned_service_lines: [] },
  })),
  'plans.update': change(forHolders(200, { 'other group': 404, 'other tenant': 404 }), ({ lines }, caller) => ({
    pool_details: {
      virtual_plan_id: lines.north.pool,
      plan_name: `Pool of ${caller}`,
      usage_limit: 500,
      usage_limit_next_month: 500,
      assigned_service_lines: [],
    },
  })),
  'plans.preview': read(forHolders(200, { 'other group': 404, 'other tenant': 404 }), ({ lines }) => ({
    virtual_plan_id: lines.north.pool,
    usage_limit: 500,
    assigned_service_lines: [lines.north.serviceLine],
  })),
  'plans.outlook': read(forHolders(200, { 'other group': 404, 'other tenant': 404 }), ({ lines }) => ({
    virtual_plan_id: lines.north.pool,
  })),
  'plans.lineOutlook': read({ ...forUsers(200), ...onlyOwnGroup }, withLine({})),
  'plans.availableLines': read(forHolders(200, { 'other group': 200, 'other tenant': 200 })),
  'executive.months': read(forAdmins(200, 200), () => ({ group: 'US Local Pool' })),
  'executive.monthsPdf': read(forAdmins(200, 200), () => ({ group: 'US Local Pool' })),
  'executive.summary': read(forAdmins(200, 200)),
  'executive.accountGroup': read(forAdmins(200, 200), () => ({ group: 'US Local Pool' })),

  // Open to visitors, and to users who must change their password as if they were visitors; but an invalid token is rejected, so
  // that the client notices and renews it.
  'support.createTicket': change({ ...evenBeforePasswordChange(200), anonymous: 200 }, () => ({
    name: 'Some One',
    email: 'someone@a.example',
    message: 'Please help.',
  })),
  'support.askAssistant': read({ ...evenBeforePasswordChange(200), anonymous: 200 }, ({ lines }) => ({
    question: `Is ${lines.north.line} online?`,
  })),

  'webhooks.list': read(forAdmins(200, 200)),
  'webhooks.create': change(forAdmins(200, 400), () => webhookOfNorth),
  'webhooks.change': change(forAdmins(200, 404), withWebhook(webhookOfNorth)),
  'webhooks.remove': change(forAdmins(200, 404), withWebhook()),
  'webhooks.rotateSecret': change(forAdmins(200, 404), withWebhook()),
  'webhooks.setPaused': change(forAdmins(200, 404), withWebhook({ paused: true })),
  'webhooks.test': change(forAdmins(200, 404), withWebhook()),
  'webhooks.deliveries': read(forAdmins(200, 404), withWebhook()),
  'webhooks.delivery': read(forAdmins(200, 404), withDelivery),
  'webhooks.resend': change(forAdmins(200, 404), withDelivery),
}
