import type { Verdict } from '../incidents/explain-changes.ts'
import type { MailBrand } from '../messages/mail-brand.ts'
import { renderMail } from '../messages/render-mail.ts'
import type { Channel, VisibleLine } from './audience.ts'
import type { Notice } from './plan.ts'
import { formatChange, formatHeadline, formatName, formatUsage, listRemarks } from './words.ts'

const MOST_LISTED = 50
const MOST_NAMED_IN_SMS = 3
const SMS_MAX = 320

interface Setting {
  brand: MailBrand
  channel: Channel
  timeZone: string
  /** The lines that the user may see now. Nothing is said about others. */
  lines: readonly VisibleLine[]
  /** Why the terminals changed, as far as it is known. */
  verdicts: readonly Verdict[]
}

/** The notice about the lines that may be seen; undefined when nothing is left. */
const narrow = (notice: Notice, lines: ReadonlyMap<number, VisibleLine>): Notice | undefined => {
  const changes = notice.changes.filter(({ lineId }) => lines.has(lineId))
  const usage = notice.usage
    .map((each) => ({ ...each, lineIds: each.lineIds.filter((id) => lines.has(id)) }))
    .filter(({ lineIds }) => lineIds.length > 0)
  return changes.length + usage.length === 0 ? undefined : { ...notice, changes, usage }
}

/** The text of a notice; undefined when the user may see none of its lines. */
export const renderNotice = (whole: Notice, { brand, channel, timeZone, lines, verdicts }: Setting) => {
  const byId = new Map(lines.map((line) => [line.id, line]))
  const notice = narrow(whole, byId)
  if (!notice) return undefined
  const { changes, usage, atMs } = notice
  const subject = formatHeadline(changes, usage, byId, timeZone)
  const sentences = usage.map((each) => `${formatUsage(each, byId)}.`)
  if (channel === 'sms') {
    const names = [...new Set(changes.map(({ lineId }) => formatName(byId.get(lineId) as VisibleLine)))]
    const listed = names.slice(0, MOST_NAMED_IN_SMS).join(', ')
    const more = names.length > MOST_NAMED_IN_SMS ? ` and ${names.length - MOST_NAMED_IN_SMS} more` : ''
    const parts = [
      `${brand.company}: ${subject}.`,
      ...(changes.length > 1 ? [`${listed}${more}.`] : []),
      ...verdicts.slice(0, 1).map(({ title }) => `${title}.`),
      ...(changes.length > 0 || usage.length > 1 ? sentences : [`${formatUsage(usage[0] as never, byId)}.`]),
      ...(notice.isLastOfDay ? ['This is the last text of the day.'] : []),
    ]
    const end = ' Reply STOP to opt out.'
    const text = parts.join(' ')
    return { subject: '', text: `${[...text].slice(0, SMS_MAX - end.length).join('')}${end}`, html: null }
  }
  const facts = changes
    .slice(0, MOST_LISTED)
    .map((change): [string, string] => [
      formatName(byId.get(change.lineId) as VisibleLine),
      formatChange(change, timeZone),
    ])
  if (changes.length > MOST_LISTED) facts.push(['', `and ${changes.length - MOST_LISTED} more`])
  const paragraphs = [
    ...verdicts.map(({ title, reasons }) => `${title}. ${reasons}`),
    ...listRemarks(changes, atMs, timeZone),
    ...sentences,
    'You get this message because notifications are turned on in your profile. You can change that there.',
  ]
  const content = { heading: subject, paragraphs, ...(facts.length > 0 && { facts }) }
  return { subject, ...renderMail(brand, content) }
}
