import { formatSome } from '#contract/format/lists.ts'
import { formatCount, formatCounted } from '#contract/format/numbers.ts'
import { formatMoment } from '#contract/format/times.ts'
import type { Incident } from '#contract/incidents.ts'
import type { Units } from '#contract/units.ts'
import type { MailBrand } from '../messages/mail-brand.ts'
import { renderMail } from '../messages/render-mail.ts'
import type { Channel, VisibleLine } from './audience.ts'
import { formatSubject, type IncidentPart, listIncidentParts, listWarningParts } from './incident-parts.ts'
import { formatPath, type LinkTarget } from './mail-links.ts'
import type { Notice } from './plan-state.ts'
import { formatChange, formatName, formatUsage, listRemarks } from './words.ts'

const MAX_LISTED = 50
/** The incident's page lists the others. */
const MAX_LISTED_OF_INCIDENTS = 10
const MAX_NAMED_IN_SMS = 3
const MAX_LINKED = 3
const MAX_DIGEST_LINKS = 10
const SMS_MAX = 320
const REASON = 'You get this message because notifications are turned on in your profile. You can change that there.'

interface Setting {
  brand: MailBrand
  channel: Channel
  timeZone: string
  units: Units
  /** The lines that the user may currently see. The notice mentions no others. */
  lines: readonly VisibleLine[]
  /** The incidents of the notice, by id, limited to what the user may read. */
  incidents: ReadonlyMap<string, Incident>
  /** The base URL of the tenant's pages, if known. */
  pages: string | undefined
  /** Returns the path of a page for a mail that is about to be sent. Unset: the path is not signed. */
  signLink?: SignLink | undefined
}

export type SignLink = (target: LinkTarget) => string

/** The notice limited to visible lines; undefined if nothing is left. */
const narrow = (notice: Notice, lines: ReadonlyMap<number, VisibleLine>): Notice | undefined => {
  const changes = notice.changes.filter(({ lineId }) => lines.has(lineId))
  const usage = notice.usage
    .map((each) => ({ ...each, lineIds: each.lineIds.filter((id) => lines.has(id)) }))
    .filter(({ lineIds }) => lineIds.length > 0)
  const warnings = notice.warnings?.filter(({ lineId }) => lines.has(lineId)) ?? []
  if (changes.length + usage.length + warnings.length === 0) return undefined
  const hidden = notice.changes.filter(({ lineId }) => !lines.has(lineId))
  const incidents = notice.incidents.map((each) => ({
    ...each,
    terminals: each.terminals - hidden.filter(({ incidentId }) => incidentId === each.id).length,
  }))
  return { ...notice, changes, incidents, usage, warnings }
}

const listNames = ({ changes }: Notice, lines: ReadonlyMap<number, VisibleLine>) => {
  const names = changes.map(({ lineId }) => formatName(lines.get(lineId) as VisibleLine))
  return formatSome([...new Set(names)], MAX_NAMED_IN_SMS)
}

const toTarget = ({ id }: IncidentPart): LinkTarget => ({ page: 'incidents', name: id })

/** For the first few; the list of terminals has the others. */
const listTerminalLinks = (
  formatLink: SignLink,
  changes: Notice['changes'],
  lines: ReadonlyMap<number, VisibleLine>,
): [string, string][] =>
  [...new Set(changes.map(({ lineId }) => lines.get(lineId) as VisibleLine))]
    .slice(0, MAX_LINKED)
    .map((line) => [formatName(line), formatLink({ page: 'terminal', name: line.nickname })])

/** The text of a notice; undefined if the user may see none of its lines. */
export const renderNotice = (whole: Notice, setting: Setting) => {
  const { brand, channel, timeZone, units, lines, incidents, pages, signLink = formatPath } = setting
  const byId = new Map(lines.map((line) => [line.id, line]))
  const notice = narrow(whole, byId)
  if (!notice) return undefined
  const { changes, usage, atMs } = notice
  const parts = [
    ...listIncidentParts(notice, incidents, byId, { timeZone, units }),
    ...listWarningParts(notice, incidents, units),
  ]
  // Nothing is left if the terminals of its warnings have moved to another group.
  if (changes.length + usage.length + parts.length === 0) return undefined
  const subject = formatSubject(notice, parts, byId, timeZone)
  const sentences = usage.map((each) => `${formatUsage(each, byId)}.`)
  if (channel === 'sms') {
    const [part] = parts
    const said = [
      `${brand.company}: ${subject}.`,
      ...(changes.length > 1 ? [`${listNames(notice, byId)}.`] : []),
      ...(part && !subject.startsWith(part.title) ? [`${part.title}.`] : []),
      ...(part && changes.length + usage.length === 0 && parts.length === 1 ? [part.reasons] : []),
      ...sentences,
      ...(notice.isLastOfDay ? ['This is the last text of the day.'] : []),
    ].join(' ')
    const end = ' Reply STOP to opt out.'
    const link = part && pages ? ` ${pages}${formatPath(toTarget(part))}` : ''
    const hasRoom = [...said, ...link, ...end].length <= SMS_MAX
    const text = hasRoom ? `${said}${link}` : [...said].slice(0, SMS_MAX - end.length).join('')
    return { subject: '', text: `${text}${end}`, html: null, links: [] }
  }
  const maxListed = parts.length > 0 ? MAX_LISTED_OF_INCIDENTS : MAX_LISTED
  const facts = changes
    .slice(0, maxListed)
    .map((change): [string, string] => [
      formatName(byId.get(change.lineId) as VisibleLine),
      formatChange(change, timeZone),
    ])
  if (changes.length > maxListed) facts.push(['', `and ${formatCount(changes.length - maxListed)} more`])
  const paragraphs = [
    ...parts.map(({ headline, title, reasons }) => `${subject === headline ? title : headline}. ${reasons}`),
    ...listRemarks(changes, atMs, timeZone),
    ...sentences,
  ]
  const alone = changes.filter(({ incidentId }) => !parts.some(({ id }) => id === incidentId))
  const formatLink = (target: LinkTarget) => `${pages}${signLink(target)}`
  const links = pages
    ? [
        ...parts.map((part): [string, string] => [part.title, formatLink(toTarget(part))]),
        ...listTerminalLinks(formatLink, alone, byId),
      ]
    : []
  const content = { heading: subject, paragraphs, links, ...(facts.length > 0 && { facts }), reason: REASON }
  return { subject, ...renderMail(brand, content), links }
}

export interface DigestPart {
  atMs: number
  subject: string
  links: [string, string][]
}

/** The newest notice is in the subject, so that the list of mails tells what happened. */
const formatDigestSubject = (parts: readonly DigestPart[]) => {
  const newest = parts.at(-1)?.subject ?? 'Nothing happened'
  return parts.length > 1 ? `${newest}, and ${formatCount(parts.length - 1)} more` : newest
}

/** One mail with several notices, the oldest first. */
export const renderDigest = (brand: MailBrand, parts: readonly DigestPart[], timeZone: string) => {
  const facts = parts
    .slice(0, MAX_LISTED)
    .map(({ atMs, subject: said }): [string, string] => [formatMoment(atMs, timeZone), said])
  if (parts.length > MAX_LISTED) facts.push(['', `and ${formatCount(parts.length - MAX_LISTED)} more`])
  const links = [...new Map(parts.flatMap((part) => part.links).map((link) => [link[1], link])).values()]
  const content = {
    heading: formatCounted(parts.length, 'notification'),
    paragraphs: ['This is what happened since the last mail.'],
    facts,
    links: links.slice(0, MAX_DIGEST_LINKS),
    reason: 'You get these messages together because your profile says so. You can change that there.',
  }
  return { subject: formatDigestSubject(parts), ...renderMail(brand, content) }
}
