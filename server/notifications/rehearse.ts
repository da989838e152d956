import { type rehearsal, rehearsalDays } from '#contract/rehearsal.ts'
import type { RouteInput } from '#contract/route.ts'
import { followIncidents } from '../incidents/follow-incidents.ts'
import { readPlannedTimes } from '../maintenance/planned-times.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { getUnits } from '../platform/database/units.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { getTenantSettings } from '../tenants/tenant-settings.ts'
import { buildRules, type Channel, listVisibleLines, type Preferences, type VisibleLine } from './audience.ts'
import { listFleetEvents } from './events.ts'
import { formatSubject, listIncidentParts, listWarningParts } from './incident-parts.ts'
import { plan } from './plan.ts'
import { emptyState, type Notice } from './plan-state.ts'
import { listIncidentIds } from './revalidate-notice.ts'

const MAX_LISTED = 200
const NUMBER = /^\d{1,15}$/

type Input = RouteInput<(typeof rehearsal)['run']>

const toPreferences = (input: Input): Preferences => ({
  by_email: input.enableNotification,
  by_sms: input.enableSmsNotification,
  status_changes: input.statusChangeNotification,
  data_usage: input.dataUsageNotification,
  warnings: input.warningNotification,
  selected_line_ids: input.selectedTerminalList.filter((id) => NUMBER.test(id)).map(Number),
  quiet_from_minute: input.quietFrom,
  quiet_until_minute: input.quietUntil,
  time_zone: input.timeZone,
  sms_daily_limit: input.smsDailyLimit,
})

const listChannels = ({ by_email, by_sms }: Preferences): Channel[] => [
  ...(by_email ? (['email'] as const) : []),
  ...(by_sms ? (['sms'] as const) : []),
]

/** The messages that the preferences would have caused in a period, computed by the same code that sends them. */
export const rehearse = async (
  db: Db,
  tenantId: string,
  preferences: Preferences,
  lines: readonly VisibleLine[],
  span: { after: Date; until: Date },
): Promise<{ channel: Channel; notice: Notice }[]> => {
  const lineIds = lines.map(({ id }) => id)
  const events = await listFleetEvents(db, tenantId, lineIds, span)
  const { settlingMinutes } = await getTenantSettings(db, tenantId)
  const planned = await readPlannedTimes(db, tenantId, span.after)
  return listChannels(preferences).flatMap((channel) => {
    const rules = buildRules(preferences, channel, lineIds, settlingMinutes, planned)
    const { notices } = plan(emptyState(), events, rules, span.until.getTime())
    return notices.map((notice) => ({ channel, notice }))
  })
}

const rehearseOwn = (ctx: Context, input: Input) =>
  ctx.transaction(async (db) => {
    const preferences = toPreferences(input)
    const until = ctx.services.now()
    const after = new Date(until)
    after.setUTCDate(after.getUTCDate() - rehearsalDays)
    const viewer = { role: ctx.user.role, group_name: ctx.user.group }
    const lines = await listVisibleLines(db, ctx.tenantId, viewer, preferences.selected_line_ids)
    const byId = new Map(lines.map((line) => [line.id, line]))
    const sent = await rehearse(db, ctx.tenantId, preferences, lines, { after, until })
    const newest = sent.toSorted((one, other) => other.notice.atMs - one.notice.atMs).slice(0, MAX_LISTED)
    const incidents = await followIncidents(
      db,
      ctx.tenantId,
      [...new Set(newest.flatMap(({ notice }) => listIncidentIds(notice)))],
      {
        seesAll: ctx.user.role === 'admin',
        terminalIds: [
          ...new Set(
            newest.flatMap(({ notice }) =>
              [...notice.changes, ...(notice.warnings ?? [])].map(({ terminalId }) => terminalId),
            ),
          ),
        ],
      },
    )
    const units = await getUnits(db, ctx.tenantId)
    const formatNotice = (notice: Notice) => {
      const parts = [
        ...listIncidentParts(notice, incidents, byId, { timeZone: preferences.time_zone, units }),
        ...listWarningParts(notice, incidents, units),
      ]
      return formatSubject(notice, parts, byId, preferences.time_zone)
    }
    return {
      emails: sent.filter(({ channel }) => channel === 'email').length,
      texts: sent.filter(({ channel }) => channel === 'sms').length,
      messages: newest.map(({ channel, notice }) => ({
        at: new Date(notice.atMs),
        channel,
        subject: formatNotice(notice),
      })),
    }
  })

export const rehearsalHandlers: Handlers<typeof rehearsal> = { run: rehearseOwn }
