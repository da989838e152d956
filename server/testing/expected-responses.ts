import { addApiToken } from './add-api-token.ts'
import type { Caller } from './callers.ts'
import {
  change,
  type Expected,
  evenBeforePasswordChange,
  failedCommand,
  forAdmins,
  forAll,
  forHolders,
  forUsers,
  onlyOwnGroup,
  read,
} from './expected-statuses.ts'
import { seedSplitIncident } from './seed-incident.ts'
import type { SeededTenants } from './seeded-tenants.ts'

const withLine = (more: object) => (tenants: SeededTenants) => ({ nickname: tenants.lines.north.line, ...more })
const withNumber = (more: object) => (tenants: SeededTenants) => ({
  ...{ nickname: tenants.lines.north.line, sl: tenants.lines.north.serviceLine },
  ...more,
})
const withDevice = (more: object) => (tenants: SeededTenants) => ({
  ...{ nickname: tenants.lines.north.line, terminal_id: tenants.lines.north.device },
  ...more,
})
const withTargetUser = async (tenants: SeededTenants) => ({ user_id: (await tenants.addTargetUser()).id })
const form = { username: 'north', customerName: 'Some One', company: 'Company' }
const csv =
  'email,username,customerName,company,role,initialPassword\nimported@a.example,north,N,C,user,Initial-pass-1\n'

const maintenanceOfNorth = {
  name: 'New mast',
  target: { kind: 'terminal', terminal: 'SL-MARKNORTH' },
  schedule: {
    ...{ repeats: 'weekly', firstDay: '2026-01-01', startMinute: '02:30', lengthMinutes: 120, days: [1, 7] },
    lastDay: null,
  },
}

const reportsForNorth = {
  ...{ name: 'Weekly', group: 'north', period: 'week', timeZone: 'UTC', sendAt: '07:00', recipients: [] },
}
const readReport = { ...forUsers(200), 'other group': 404, 'other tenant': 404 }
const withReport = async ({ findReport }: SeededTenants) => ({ id: await findReport() })

const viewOfNorth = {
  ...{ page: 'table', state: { q: 'pool:north', columns: 'name,status' }, audience: 'nobody', group: null },
}
/** Users see what is shared with them, and cannot change it. */
const changeSharedView = { ...forUsers(404), admin: 200 }

/** Nothing listens there, and it is switched off. */
const singleSignOn = {
  ...{ issuer: 'http://127.0.0.1:9', clientId: 'id', clientSecret: 'secret', scopes: 'openid', buttonLabel: 'Sign in' },
  rules: [{ claim: 'sub', operator: 'exists', value: '', outcome: 'user', group: 'north' }],
  ...{ recheckMinutes: 15, graceMinutes: 60, isEnabled: false, isOnly: false, breakGlass: [] },
}

const quietHours = { quietFrom: '21:00', quietUntil: '06:00', timeZone: 'America/Anchorage', smsDailyLimit: 7 }

const toAddress = (caller: Caller) => `${caller.replaceAll(' ', '-')}@nowhere.example`

const noProof = { id: 'AA', clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' }

const newToken = { name: 'Script', scopes: ['terminals:read'], expiresInDays: 30, networks: ['192.0.2.0/24'] }

const webhookOfNorth = {
  ...{ name: 'Desk', url: 'https://hooks.example/north', format: 'standard', eventTypes: ['incident.opened'] },
  target: { kind: 'terminals', terminals: ['SL-MARKNORTH'] },
}
const withWebhook = (more?: object) => async (tenants: SeededTenants) => ({
  ...{ id: (await tenants.addWebhook()).id, ...more },
})
const withDelivery = async ({ addWebhook }: SeededTenants) => {
  const { id, delivery_id } = await addWebhook()
  return { id, deliveryId: delivery_id }
}

const withMessage = async ({ addMessage }: SeededTenants) => ({ messageId: await addMessage() })

/** Every call of the contract, and the response that each caller gets. A call without a row fails the walk. */
export const expectedResponses: Record<string, Expected> = {
  'tenants.config': read(forAll(200)),
  'tenantSettings.get': read(forAdmins(200, 200)),
  'tenantSettings.change': change(forAdmins(200, 200), () => ({ settlingMinutes: 7, timeZone: 'America/Toronto' })),
  // One address per caller: tries at one and the same are limited.
  'identity.login': read(forAll(401), (_, caller) => ({ email: toAddress(caller), password: 'Wrong-pass-1' })),
  'identity.verifyOtp': read(forAll(401), () => ({ email: 'nobody@a.example', otp: '123456' })),
  'identity.sendCode': read(forAll(401), () => ({ email: 'nobody@a.example' })),
  'identity.startPasskey': read(forAll(200), () => ({ use: 'only factor' })),
  'identity.signInWithPasskey': read(forAll(401), () => ({ use: 'only factor', proof: noProof })),
  'identity.forgotPassword': read(forAll(200), (_, caller) => ({ email: toAddress(caller) })),
  'identity.refresh': read(forAll(401), () => ({ refresh: 'nobody has this token' })),
  'identity.verifyToken': read(evenBeforePasswordChange(200)),
  'identity.startConfirmation': read(forUsers(200)),
  'identity.confirmPasskey': read(forUsers(400), () => ({ proof: noProof })),
  'identity.confirmCode': read(forUsers(400), () => ({ code: '000000' })),
  'identity.confirmPassword': read(forUsers(400), () => ({ password: 'Wrong-pass-1' })),
  'identity.logout': read(evenBeforePasswordChange(200)),

  'singleSignOn.start': read(forAll(404)),
  'singleSignOn.finish': read(forAll(401), () => ({ query: 'code=nobody&state=nothing' })),
  'singleSignOn.confirm': read(forUsers(403), () => ({ query: 'code=nobody&state=nothing' })),
  'singleSignOn.get': read(forAdmins(200, 200)),
  'singleSignOn.change': change(forAdmins(200, 200), (_, caller) => ({ ...singleSignOn, buttonLabel: `By ${caller}` })),
  'singleSignOn.tryClaims': read(forAdmins(200, 200), () => ({ sample: '{}', rules: singleSignOn.rules })),
  'singleSignOn.test': read(forAdmins(200, 200), () => ({ issuer: singleSignOn.issuer, scopes: 'openid' })),

  'terminals.list': read(forUsers(200)),
  'terminals.details': read(forUsers(200)),
  'terminals.live': read(forUsers(200)),
  'fleetMetrics.scrape': read(forUsers(200)),
  'terminalDetail.get': read({ ...forUsers(200), ...onlyOwnGroup }, ({ lines }) => ({
    ...{ kitnumber: lines.north.line, period: 15 },
  })),
  'terminalDetail.read': read({ ...forUsers(200), ...onlyOwnGroup }, ({ lines }) => ({
    ...{ kitnumber: lines.north.line, period: 15 },
  })),
  'terminalDetail.download': read({ ...forUsers(200), ...onlyOwnGroup }, ({ lines }) => ({
    ...{ kitnumber: lines.north.kit, period: 15 },
  })),
  'serviceLines.setMetadata': change(forHolders(200, onlyOwnGroup), (tenants, caller) =>
    withLine({ field: 'metadata2', value: `by ${caller}` })(tenants),
  ),

  // These tenants have no vendor: a caller who passes the guard gets an error that says so. The audit log records the
  // command and its failure.
  'commands.setIpPolicy': failedCommand(withNumber({ ip_policy: 'default' })),
  'commands.setOptIn': failedCommand(withNumber({ opt_in: 'opt out' })),
  'commands.reboot': failedCommand(withDevice({})),
  'commands.setSnowMelt': read(forHolders(409, onlyOwnGroup), withDevice({ snowMeltMode: 'ALWAYS_ON' })),
  'commands.rename': change(forHolders(200, onlyOwnGroup), (tenants, caller) =>
    withNumber({ customname: `Named by ${caller}` })(tenants),
  ),

  'access.myEffective': read(evenBeforePasswordChange(200)),
  'access.matrix': read(forAdmins(200, 200)),
  'access.effective': read(forAdmins(200, 404), withTargetUser),
  'access.setValue': change(forAdmins(200, 404), async (tenants) => ({
    ...(await withTargetUser(tenants)),
    ...{ item_code: 'plan_manager', value: 'true' },
  })),

  'users.list': read(forAdmins(200, 200)),
  'users.create': change(forAdmins(200, 200), (_, caller) => ({
    ...{
      ...form,
      email: `made-by-${caller.replaceAll(' ', '-')}@a.example`,
      role: 'user',
      initialPassword: 'Initial-pass-1',
    },
  })),
  'users.update': change(forAdmins(200, 404), async (tenants) => {
    const { id, email } = await tenants.addTargetUser()
    return { user_id: id, ...form, email, company: 'Another' }
  }),
  'users.remove': change(forAdmins(200, 404), withTargetUser),
  'users.groups': read(forAdmins(200, 200)),
  'users.endSessions': change(forAdmins(200, 404), async (tenants) => {
    const { id, email } = await tenants.addTargetUser()
    await tenants.signIn('a', email)
    return { user_id: id }
  }),
  'users.resetFactors': change(forAdmins(200, 404), async (tenants) => {
    const { id } = await tenants.addTargetUser()
    await tenants.addTotp('a', id)
    return { user_id: id }
  }),
  'users.importCsv': change(forAdmins(200, 200), () => ({ csv, apply: true })),
  'users.notify': change(forAdmins(200, 400), ({ users }) => ({ message: 'Hello', users: [users.with.email] })),

  'audit.logs': read(forAdmins(200, 200)),
  'audit.choices': read(forAdmins(200, 200)),
  'audit.download': read(forAdmins(200, 200)),
  'audit.verify': read(forAdmins(200, 200)),
  'securityEvents.list': read(forAdmins(200, 200)),
  'securityEvents.download': read(forAdmins(200, 200)),
  'securityEvents.mine': read(forUsers(200)),

  'profile.get': read(forUsers(200)),
  'profile.edit': change(forUsers(200), (_, caller) => ({ customerName: caller, company: 'Company' })),
  'profile.resetPassword': read(evenBeforePasswordChange(400), () => ({
    ...{ currentPassword: 'Wrong-pass-1', newPassword: 'Another-pass-1' },
  })),
  'profile.checkOtp': read(forUsers(200), () => ({ checkOtp: false })),
  'profile.auditMail': read(forAdmins(200, 200), () => ({ auditMail: true })),
  'profile.enableNotification': change(forUsers(200), () => ({ enableNotification: true })),
  'profile.enableSms': read(forUsers(200), () => ({ enableSmsNotification: false })),
  'profile.consentToSms': change(forUsers(200)),
  'profile.statusChange': change(forUsers(200), () => ({ statusChangeNotification: true })),
  'profile.dataUsage': change(forUsers(200), () => ({ dataUsageNotification: true })),
  'profile.warnings': change(forUsers(200), () => ({ warningNotification: true })),
  'profile.changePhone': change(forUsers(200), () => ({ phoneNumber: '907-555-0100' })),
  // Whatever was called before, there is no number.
  'profile.sendPhoneCode': read(forUsers(409), async ({ superuser }) => {
    await superuser.query('update notification_settings set phone_number = null, phone_verified_at = null')
    return {}
  }),
  'profile.verifyPhone': read(forUsers(400), () => ({ code: '000000' })),
  'profile.selectTerminals': read(forUsers(200), () => ({ selectedTerminalList: '' })),

  // How a page looks to its user is not recorded.
  'profile.setListOrder': read(forUsers(200), () => ({ listOrder: 'worst' })),
  'profile.setMailDigest': change(forUsers(200), () => ({ mailDigest: 'daily' })),
  'profile.setQuietHours': change(forUsers(200), () => quietHours),
  'rehearsal.run': read(forUsers(200), ({ lines }) => ({
    ...{ enableNotification: true, enableSmsNotification: true, statusChangeNotification: true },
    ...{
      dataUsageNotification: true,
      warningNotification: true,
      selectedTerminalList: String(lines.north.id),
      ...quietHours,
    },
  })),
  'factors.list': read(forUsers(200)),
  'factors.startTotp': read(forUsers(200)),
  'factors.confirmTotp': read(forUsers(400), () => ({ code: '000000' })),
  'factors.removeTotp': read(forUsers(404)),
  'factors.startPasskey': read(forUsers(200)),
  'factors.addPasskey': read(forUsers(400), () => ({
    name: 'Laptop',
    passkey: { id: 'AA', clientDataJSON: 'AA', attestationObject: 'AA', transports: [] },
  })),
  'factors.removePasskey': read(forUsers(404), () => ({ passkeyId: '00000000-0000-4000-8000-000000000000' })),
  'factors.createRecoveryCodes': read(forUsers(409)),
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
    ...{ id: lines.north.incident, until: '2099-01-01T00:00:00Z' },
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
    ...{ id: await addWindow(), ...maintenanceOfNorth },
  })),
  'maintenance.end': change(forAdmins(200, 404), async ({ addWindow }) => ({ id: await addWindow() })),
  'availability.summary': read(forUsers(200), () => ({ period: 'month' })),
  'availability.month': read(forUsers(200)),
  'availability.terminal': read({ ...forUsers(200), ...onlyOwnGroup }, ({ lines }) => ({
    ...{ kitnumber: lines.north.line, period: 'week' },
  })),
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
    ...{ id: await addSchedule(), ...reportsForNorth },
  })),
  'reports.deleteSchedule': change(forAdmins(200, 404), async ({ addSchedule }) => ({ id: await addSchedule() })),
  'reports.sendNow': change(forAdmins(200, 404), async ({ addSchedule }) => ({ id: await addSchedule() })),
  'savedViews.list': read(forUsers(200)),
  'savedViews.create': change(forUsers(200), (_, caller) => ({ ...viewOfNorth, name: `Of ${caller}` })),
  'savedViews.change': change(changeSharedView, async ({ addSavedView }) => ({
    ...{ id: await addSavedView(), ...viewOfNorth, name: 'Changed' },
  })),
  'savedViews.remove': change(changeSharedView, async ({ addSavedView }) => ({ id: await addSavedView() })),
  'shareLinks.list': read(forAdmins(200, 200)),
  'shareLinks.create': change(forAdmins(200, 403), ({ lines }) => ({
    ...{ kind: 'terminal', subject: lines.north.line, days: 7, passPhrase: null },
  })),
  'shareLinks.revoke': change(forAdmins(200, 404), async ({ addShareLink }) => ({ id: (await addShareLink()).id })),
  'sessions.list': read(forUsers(200)),
  'sessions.end': read(forUsers(404), () => ({ sessionId: '00000000-0000-4000-8000-000000000000' })),
  'sessions.endOthers': read(forUsers(200)),

  'apiTokens.listOwn': read(forUsers(200)),
  'apiTokens.createOwn': change(forUsers(200), () => newToken),
  'apiTokens.revokeOwn': read(forUsers(404), () => ({ tokenId: '00000000-0000-4000-8000-000000000000' })),
  'apiTokens.list': read(forAdmins(200, 200)),
  'apiTokens.createService': change(forAdmins(200, 200), (_, caller) => ({
    ...{ ...newToken, name: `Service of ${caller}`, role: 'user', group: 'north' },
  })),
  'apiTokens.createWall': change(forAdmins(200, 200), () => ({ name: 'Wall' })),
  'apiTokens.revoke': change(forAdmins(200, 404), async ({ superuser, users }) => ({
    tokenId: (await addApiToken(superuser, 'a', { userId: users.without.id })).id,
  })),
  'personalData.ownData': read(forUsers(200)),
  'personalData.userData': read(forAdmins(200, 404), withTargetUser),

  'personalData.eraseUser': change(forAdmins(200, 404), withTargetUser),

  'plans.list': read(forHolders(200, { 'other group': 200, 'other tenant': 200 })),
  'plans.create': change(forHolders(200, { 'other group': 200, 'other tenant': 200 }), () => ({
    pool_details: { plan_name: 'Pool', usage_limit: 500, assigned_service_lines: [] },
  })),
  'plans.update': change(forHolders(200, { 'other group': 404, 'other tenant': 404 }), ({ lines }, caller) => ({
    pool_details: {
      ...{ virtual_plan_id: lines.north.pool, plan_name: `Pool of ${caller}`, usage_limit: 500 },
      ...{ usage_limit_next_month: 500, assigned_service_lines: [] },
    },
  })),
  'plans.preview': read(forHolders(200, { 'other group': 404, 'other tenant': 404 }), ({ lines }) => ({
    ...{ virtual_plan_id: lines.north.pool, usage_limit: 500, assigned_service_lines: [lines.north.serviceLine] },
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

  // Open to visitors, and to users who have to change their password as if they were one; but a token that does not hold is refused, so that the caller notices and renews it.
  'support.createTicket': change({ ...evenBeforePasswordChange(200), anonymous: 200 }, () => ({
    ...{ name: 'Some One', email: 'someone@a.example', message: 'Please help.' },
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
