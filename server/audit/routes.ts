import type { audit } from '#contract/audit.ts'
import { formatCsvRow } from '#contract/csv.ts'
import { formatIsoTime } from '#contract/format/times.ts'
import type { RouteInput } from '#contract/route.ts'
import type { Context } from '../platform/context.ts'
import { getTimeZone } from '../platform/database/time-zone.ts'
import { csvResponse } from '../platform/http/csv-response.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { recordExport } from '../security-events/record.ts'
import { readAnchorFile } from './anchor-file.ts'
import { listChoices, listEntries } from './queries.ts'
import { verifyChain } from './verify.ts'

const PAGE = 100
const FILE_PAGE = 1_000

type Filter = RouteInput<typeof audit.download>

/** Reads page by page, so that a log of any length takes little memory and no transaction stays open for long. */
async function* fileLines(context: Context, filter: Filter) {
  yield formatCsvRow(['ActionPerformer', 'ActionType', 'ActionPerformee', 'ActionTime', 'Details'])
  const timeZone = await context.transaction((db) => getTimeZone(db, context.tenantId))
  let before: number | undefined
  for (;;) {
    const page = await context.transaction((db) => listEntries(db, context.tenantId, filter, FILE_PAGE, before))
    const cells = page.map(({ performer, action, performee, at, details }) =>
      formatCsvRow([performer, action, performee, formatIsoTime(at, timeZone), JSON.stringify(details)]),
    )
    if (cells.length > 0) yield cells.join('')
    before = page.at(-1)?.seq
    if (page.length < FILE_PAGE) return
  }
}

export const auditHandlers: Handlers<typeof audit> = {
  logs: async ({ transaction, tenantId }, { before, limit, ...filter }) => {
    const entries = await transaction((db) =>
      listEntries(db, tenantId, filter, limit ?? PAGE, before === undefined ? undefined : Number(before)),
    )
    return entries.map(({ seq, performer, action, performee, at, details }) => ({
      id: String(seq),
      actionPerformer: performer,
      actionType: action,
      actionPerformee: performee,
      actionTime: at,
      details: details as Record<string, unknown>,
    }))
  },
  choices: ({ transaction, tenantId }) => transaction((db) => listChoices(db, tenantId)),
  download: async (context, filter) => {
    await context.transaction((db) => recordExport(db, context, 'editing log'))
    return csvResponse('editing-log.csv', fileLines(context, filter))
  },
  verify: async ({ transaction, tenantId, services }) => {
    const anchors = await readAnchorFile(services.config.dataDir, tenantId)
    const { entries, head, fault } = await transaction((db) => verifyChain(db, tenantId, anchors))
    return {
      intact: fault === undefined,
      entries,
      head: head ? { id: String(head.seq), hash: head.hash.toString('hex') } : null,
      fault: fault ? { id: String(fault.seq), problem: fault.problem } : null,
    }
  },
}
