import { setImmediate as letOthersRun } from 'node:timers/promises'
import type { availability } from '#contract/availability.ts'
import type { RouteInput } from '#contract/route.ts'
import type { Context } from '../platform/context.ts'
import { compareSpans, explainSpans, MAX_LISTED, type TerminalSpan } from './explain-spans.ts'
import { findSpan } from './find-span.ts'
import { listKinds } from './measure.ts'
import { readHistories } from './read-histories.ts'

/** This many terminals take a few milliseconds. */
const AT_ONCE = 100

/** The times behind the figures of a group, or of every terminal that the user may see. */
export const listFleetSpans = (
  ctx: Context,
  { group, kind, order = 'newest', ...wanted }: RouteInput<typeof availability.spans>,
) =>
  ctx.transaction(async (db) => {
    const { tenantId } = ctx
    const { within, shown } = await findSpan(db, ctx, wanted)
    const { histories, planned } = await readHistories(db, tenantId, within, { group })
    let found: TerminalSpan[] = []
    for (let start = 0; start < histories.length; start += AT_ONCE) {
      if (start > 0) await letOthersRun()
      for (const { terminal, readHistory } of histories.slice(start, start + AT_ONCE))
        for (const span of listKinds(readHistory(), within)) if (span.kind === kind) found.push({ terminal, ...span })
      // One more than listed, so that the list is known to be cut.
      found = found.sort(compareSpans[order]).slice(0, MAX_LISTED + 1)
    }
    const listed = await explainSpans(found.slice(0, MAX_LISTED), { db, tenantId, within, planned })
    return {
      ...shown,
      spans: listed.map(({ terminal: { nickname, name }, span }) => ({ nickname, name, ...span })),
      isCut: found.length > MAX_LISTED,
    }
  })
