import type { LogEntry } from './audit.ts'
import { describeFields, type Facts, formatValue, readRecord } from './audit-fields.ts'
import { featureItems } from './features.ts'
import { formatList } from './format/lists.ts'
import { formatCounted, formatShort, formatTarget } from './format/numbers.ts'

/** What was done, without the performer. */
type Sentence = (performee: string, facts: Facts) => string

const after = (facts: Facts, name: string) => readRecord(facts.after)[name]

const formatGb = (value: unknown) => (typeof value === 'number' ? `${formatShort(value)} GB` : 'no limit')

const countItems = (value: unknown) => (Array.isArray(value) ? value.length : 0)

/** 'from 1,000 to 1,500 GB', 'from 1,000 GB to no limit'. */
const formatLimits = (before: unknown, now: unknown) =>
  typeof before === 'number' && typeof now === 'number'
    ? `from ${formatShort(before)} to ${formatShort(now)} GB`
    : `from ${formatGb(before)} to ${formatGb(now)}`

const chooseVerb = (before: unknown, now: unknown) => {
  if (typeof before !== 'number' || typeof now !== 'number') return 'changed'
  return now > before ? 'raised' : 'lowered'
}

const describePool = (performee: string, facts: Facts) => {
  const [before, now] = [readRecord(facts.before), readRecord(facts.after)]
  const [added, removed] = [countItems(facts.added), countItems(facts.removed)]
  const others = describeFields(facts, performee, ['limitGb'])
  const parts = [
    before.limitGb !== now.limitGb &&
      `${chooseVerb(before.limitGb, now.limitGb)} the limit of ${performee} ${formatLimits(before.limitGb, now.limitGb)}`,
    others && `changed the ${others}`,
    added > 0 && `added ${formatCounted(added, 'line')} to ${performee}`,
    removed > 0 && `removed ${formatCounted(removed, 'line')} from ${performee}`,
  ].filter((part) => part !== false && part !== undefined)
  return parts.length > 0 ? formatList(parts) : `saved the pool ${performee} without a change`
}

const describeAccess = (performee: string, facts: Facts) => {
  const [[item, value] = ['', '']] = Object.entries(readRecord(facts.after))
  const label = featureItems[item as keyof typeof featureItems]?.label ?? item
  const level = { true: 'on', false: 'off' }[String(value)] ?? String(value).replaceAll('_', ' ')
  return `set ${label} of ${performee} to ${level}`
}

const describeSwitch = (facts: Facts, name: string, what: string) =>
  `turned ${what} ${after(facts, name) === true ? 'on' : 'off'}`

const failed =
  (sentence: Sentence, how: string): Sentence =>
  (performee, facts) =>
    `${sentence(performee, facts)}, ${how}${typeof facts.problem === 'string' ? `: ${facts.problem}` : ''}`

const refused = (sentence: Sentence) => failed(sentence, 'which Starlink refused')
const unknown = (sentence: Sentence) => failed(sentence, 'and it is not known whether that reached Starlink')

const reboot: Sentence = (performee) => `sent a reboot to ${performee}`
const snowMelt: Sentence = (performee, { desired }) => `set snow melt of ${performee} to ${formatValue(desired)}`
const ipPolicy: Sentence = (performee, { desired }) => `set the IP policy of ${performee} to ${formatValue(desired)}`
const optIn: Sentence = (performee, { desired }) =>
  `opted ${performee} ${desired === 'opt out' ? 'out of' : 'in to'} more data`

const describeBulk = (kind: unknown, field: unknown) => {
  if (kind === 'reboot') return 'reboot'
  if (kind === 'pool') return 'change the pool of'
  return kind === 'notifications' ? 'turn notifications on or off for' : `set ${formatValue(field)} of`
}

const describeLinePool: Sentence = (line, facts) => {
  const [was, is] = [readRecord(facts.before).pool, after(facts, 'pool')]
  return is === null
    ? `took ${line} out of the pool ${formatValue(was)}`
    : `put ${line} into the pool ${formatValue(is)}`
}

/** A sentence for each action that is recorded. */
export const auditSentences = {
  'access.set': describeAccess,
  'availability.target': (group, facts) =>
    typeof after(facts, 'percent') === 'number'
      ? `set the availability target of ${group} to ${formatTarget(after(facts, 'percent') as number)}`
      : `removed the availability target of ${group}`,
  'bulk.start': (terminals, { kind, field }) => `began to ${describeBulk(kind, field)} ${terminals}`,
  'bulk.stop': (terminals) => `stopped a change of ${terminals}`,
  'bulk.undo': (terminals) => `began to undo a change of ${terminals}`,
  'command.not_confirmed': (line, { kind }) => `found no confirmation of a command (${formatValue(kind)}) to ${line}`,
  'factor.add': (_, { factor }) => `added a second factor: ${formatValue(factor)}`,
  'factor.recovery_codes': () => 'made new recovery codes',
  'factor.remove': (_, { factor }) => `removed a second factor: ${formatValue(factor)}`,
  'incident.acknowledge': (incident) => `acknowledged the incident “${incident}”`,
  'incident.merge': (incident, { merged }) => `merged “${formatValue(merged)}” into the incident “${incident}”`,
  'incident.snooze': (incident, { until }) =>
    until === null ? `ended the snooze of the incident “${incident}”` : `snoozed the incident “${incident}”`,
  'incident.split': (incident) => `split the incident “${incident}”`,
  'incident.undo': (incident) => `undid a merge or split of the incident “${incident}”`,
  'maintenance.change': (name) => `changed the maintenance “${name}”`,
  'maintenance.end': (name) => `ended the maintenance “${name}”`,
  'maintenance.plan': (name) => `planned the maintenance “${name}”`,
  'report.change': (name) => `changed the reports “${name}”`,
  'report.create': (name) => `scheduled the reports “${name}”`,
  'report.delete': (name) => `deleted the schedule of the reports “${name}”`,
  'report.send': (name) => `sent the reports “${name}” at once`,
  'message.resend': (user, { subject }) => `sent the message ${subject ? `“${String(subject)}” ` : ''}to ${user} again`,
  'pool.create': (pool, { limitGb, lines }) =>
    `created the pool ${pool} with ${formatCounted(countItems(lines), 'line')} and ${typeof limitGb === 'number' ? `a limit of ${formatGb(limitGb)}` : 'no limit'}`,
  'pool.cycle': (pool) => `began a new cycle of ${pool}`,
  'pool.limit_reached': (pool, { usedGb, limitGb }) =>
    `found the limit of ${pool} reached: ${formatGb(usedGb)} of ${formatGb(limitGb)}`,
  'pool.top_up': (pool, facts) =>
    `topped ${pool} up by ${formatGb(facts.amountGb)}, ${formatLimits(facts.before, facts.after)}`,
  'pool.update': describePool,
  'profile.audit_mail': (_, facts) => describeSwitch(facts, 'auditMail', 'the daily mail about the editing log'),
  'profile.check_otp': (_, facts) => describeSwitch(facts, 'checkOtp', 'codes at sign-in'),
  'profile.consent_to_sms': () => 'consented to text messages',
  'profile.edit': (_, facts) => `changed their own ${describeFields(facts, '') ?? 'profile'}`,
  'profile.line_notifications': (line, facts) => describeSwitch(facts, 'notifications', `notifications about ${line}`),
  'profile.notifications': (_, facts) => `changed their own notifications: ${describeFields(facts, '') ?? 'nothing'}`,
  'profile.unsubscribe': () => 'turned off notifications by email with the link of a mail',
  'profile.verify_phone': () => 'verified their phone number',
  'saved_view.change': (name) => `changed the view “${name}”`,
  'saved_view.create': (name) => `saved the view “${name}”`,
  'saved_view.delete': (name) => `deleted the view “${name}”`,
  'service_line.ip_policy': ipPolicy,
  'service_line.ip_policy.refused': refused(ipPolicy),
  'service_line.ip_policy.unknown': unknown(ipPolicy),
  'service_line.metadata': (line, facts) => `changed ${describeFields(facts, line) ?? `the metadata of ${line}`}`,
  'service_line.opt_in': optIn,
  'service_line.opt_in.refused': refused(optIn),
  'service_line.opt_in.unknown': unknown(optIn),
  'service_line.pool': describeLinePool,
  'service_line.rename': (line, facts) => `renamed ${line} to ${formatValue(facts.after)}`,
  'share_link.create': (title) => `created a link that shows “${title}” to whoever has it`,
  'share_link.open': (title) => `was used to open “${title}”`,
  'share_link.revoke': (title) => `revoked a link that showed “${title}”`,
  'sms.start': (user) => `started text messages to ${user} again`,
  'sms.stop': (user) => `stopped text messages to ${user}`,
  'tenant.configure': () => 'changed the brand of the portal',
  'tenant.create': () => 'created the portal',
  'tenant.settings': (_, facts) => `changed the settings: ${describeFields(facts, '') ?? 'nothing'}`,
  'tenant.single_sign_on': (_, facts) =>
    `changed single sign-on: ${describeFields(facts, '') ?? 'the administrators for emergencies'}`,
  'tenant.sms_budget': (_, facts) => `set the budget of text messages to ${formatValue(after(facts, 'texts'))} a month`,
  'terminal.reboot': reboot,
  'terminal.reboot.refused': refused(reboot),
  'terminal.reboot.unknown': unknown(reboot),
  'terminal.snow_melt': snowMelt,
  'terminal.snow_melt.refused': refused(snowMelt),
  'terminal.snow_melt.unknown': unknown(snowMelt),
  'ticket.create': (ticket, { email }) => `opened the ticket ${ticket}${email ? ` for ${String(email)}` : ''}`,
  'token.create': (user, facts) => `created the API token “${formatValue(after(facts, 'token'))}” of ${user}`,
  'token.revoke': (user, facts) => `revoked the API token “${formatValue(readRecord(facts.before).token)}” of ${user}`,
  'user.change_password': () => 'changed their password',
  'user.create': (user, facts) => `created the ${after(facts, 'role') === 'admin' ? 'administrator' : 'user'} ${user}`,
  'user.delete': (user) => `deleted the user ${user}`,
  'user.end_sessions': (user, { sessions }) =>
    `signed ${user} out of ${typeof sessions === 'number' ? formatCounted(sessions, 'session') : 'all sessions'}`,
  'user.erase': (user) => `erased the personal data of ${user}`,
  'user.link_single_sign_on': (user) => `linked ${user} to an account of the provider`,
  'user.notify': (users) => `sent a message to ${users}`,
  'user.reset_factors': (user) => `removed the second factors of ${user}`,
  'user.update': (user, facts) => `changed the ${describeFields(facts, user) ?? `account of ${user}`}`,
  'vendor.connect': (account) => `connected the Starlink account ${account}`,
  'vendor.snow_melt': (mode) => `stored the Starlink configuration for snow melt “${mode}”`,
  'webhook.change': (webhook) => `changed the webhook “${webhook}”`,
  'webhook.create': (webhook, facts) => `created the webhook “${webhook}” to ${formatValue(after(facts, 'host'))}`,
  'webhook.delete': (webhook) => `deleted the webhook “${webhook}”`,
  'webhook.pause': (webhook, { reason }) => `paused the webhook “${webhook}”${reason ? `: ${String(reason)}` : ''}`,
  'webhook.resend': (webhook, { event }) => `sent ${formatValue(event)} to the webhook “${webhook}” again`,
  'webhook.resume': (webhook) => `resumed the webhook “${webhook}”`,
  'webhook.rotate_secret': (webhook) => `gave the webhook “${webhook}” a new secret`,
  'webhook.test': (webhook) => `sent a test to the webhook “${webhook}”`,
} satisfies Record<string, Sentence>

export type AuditAction = keyof typeof auditSentences

const sentences: Record<string, Sentence | undefined> = auditSentences

/** 'ada@north.example raised the limit of Harbors from 1,000 to 1,500 GB'. */
export const describeEntry = ({ actionPerformer, actionType, actionPerformee, details }: LogEntry) =>
  `${actionPerformer} ${sentences[actionType]?.(actionPerformee, details) ?? `did ${actionType} to ${actionPerformee}`}`
