import { addApiToken } from './add-api-token.ts'
import type { Caller } from './callers.ts'
import {
  change,
  type Expected,
  evenBeforePasswordChange,
  forAdmins,
  forAll,
  forUsers,
  read,
} from './expected-statuses.ts'
import type { SeededTenants } from './seeded-tenants.ts'

const withTargetUser = async (tenants: SeededTenants) => ({ user_id: (await tenants.addTargetUser()).id })

const form = { username: 'north', customerName: 'Some One', company: 'Company' }

const csv =
  'email,username,customerName,company,role,initialPassword\nimported@a.example,north,N,C,user,Initial-pass-1\n'

/** Nothing listens there, and it is turned off. */
const singleSignOn = {
  issuer: 'http://127.0.0.1:9',
  clientId: 'id',
  clientSecret: 'secret',
  scopes: 'openid',
  buttonLabel: 'Sign in',
  rules: [{ claim: 'sub', operator: 'exists', value: '', outcome: 'user', group: 'north' }],
  recheckMinutes: 15,
  graceMinutes: 60,
  isEnabled: false,
  isOnly: false,
  breakGlass: [],
}

const quietHours = { quietFrom: '21:00', quietUntil: '06:00', timeZone: 'America/Anchorage', smsDailyLimit: 7 }

const toAddress = (caller: Caller) => `${caller.replaceAll(' ', '-')}@nowhere.example`

const noProof = { id: 'AA', clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' }

const newToken = { name: 'Script', scopes: ['terminals:read'], expiresInDays: 30, networks: ['192.0.2.0/24'] }

/**
 * The calls about the tenant, sign-in, users and their permissions, with the expected response for each
 * caller.
 */
export const expectedAccountResponses: Record<string, Expected> = {
  'tenants.config': read(forAll(200)),
  'tenantSettings.get': read(forAdmins(200, 200)),
  'tenantSettings.change': change(forAdmins(200, 200), () => ({ settlingMinutes: 7, timeZone: 'America/Toronto' })),
  // One address per caller, because attempts per address are limited.
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

  'access.myEffective': read(evenBeforePasswordChange(200)),
  'access.matrix': read(forAdmins(200, 200)),
  'access.effective': read(forAdmins(200, 404), withTargetUser),
  'access.setValue': change(forAdmins(200, 404), async (tenants) => ({
    ...(await withTargetUser(tenants)),
    item_code: 'plan_manager',
    value: 'true',
  })),

  'users.list': read(forAdmins(200, 200)),
  'users.create': change(forAdmins(200, 200), (_, caller) => ({
    ...form,
    email: `made-by-${caller.replaceAll(' ', '-')}@a.example`,
    role: 'user',
    initialPassword: 'Initial-pass-1',
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
    currentPassword: 'Wrong-pass-1',
    newPassword: 'Another-pass-1',
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
    enableNotification: true,
    enableSmsNotification: true,
    statusChangeNotification: true,
    dataUsageNotification: true,
    warningNotification: true,
    selectedTerminalList: String(lines.north.id),
    ...quietHours,
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
  'sessions.list': read(forUsers(200)),
  'sessions.end': read(forUsers(404), () => ({ sessionId: '00000000-0000-4000-8000-000000000000' })),
  'sessions.endOthers': read(forUsers(200)),

  'apiTokens.listOwn': read(forUsers(200)),
  'apiTokens.createOwn': change(forUsers(200), () => newToken),
  'apiTokens.revokeOwn': read(forUsers(404), () => ({ tokenId: '00000000-0000-4000-8000-000000000000' })),
  'apiTokens.list': read(forAdmins(200, 200)),
  'apiTokens.createService': change(forAdmins(200, 200), (_, caller) => ({
    ...newToken,
    name: `Service of ${caller}`,
    role: 'user',
    group: 'north',
  })),
  'apiTokens.createWall': change(forAdmins(200, 200), () => ({ name: 'Wall' })),
  'apiTokens.revoke': change(forAdmins(200, 404), async ({ superuser, users }) => ({
    tokenId: (await addApiToken(superuser, 'a', { userId: users.without.id })).id,
  })),
  'personalData.ownData': read(forUsers(200)),
  'personalData.userData': read(forAdmins(200, 404), withTargetUser),

  'personalData.eraseUser': change(forAdmins(200, 404), withTargetUser),
}
