import type { availability } from '#contract/availability.ts'
import type { RouteInput } from '#contract/route.ts'
import type { Context } from '../platform/context.ts'
import { getLine } from '../service-lines/get-line.ts'
import { compareSpans, explainSpans, MAX_LISTED } from './explain-spans.ts'
import { findSpan } from './find-span.ts'
import { addMeasured, listKinds, measure, toFigures } from './measure.ts'
import { readHistories } from './read-histories.ts'

/** The times behind the figures of a line. */
export const listSpans = (
  ctx: Context,
  { kitnumber, kind, order = 'newest', ...wanted }: RouteInput<typeof availability.terminal>,
) =>
  ctx.transaction(async (db, client) => {
    const { tenantId } = ctx
    const line = await getLine(client, tenantId, kitnumber)
    const { within, shown } = await findSpan(db, ctx, wanted)
    const { histories, planned } = await readHistories(db, tenantId, within, { lineId: line.id })
    const known = histories.map(({ terminal, readHistory }) => ({ terminal, history: readHistory() }))
    const spans = known
      .flatMap(({ terminal, history }) => listKinds(history, within).map((span) => ({ terminal, ...span })))
      .filter((span) => kind === undefined || span.kind === kind)
      .sort(compareSpans[order])
    const listed = await explainSpans(spans.slice(0, MAX_LISTED), { db, tenantId, within, planned })
    const periodMs = within.toMs - within.fromMs
    return {
      ...shown,
      name: line.custom_name ?? line.nickname,
      total: toFigures(addMeasured(known.map(({ history }) => measure(history, periodMs)))),
      spans: listed.map(({ span }) => span),
      isCut: spans.length > MAX_LISTED,
    }
  })
