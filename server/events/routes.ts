import { invalid } from '#contract/errors.ts'
import { type EventKind, eventKinds, type events } from '#contract/events.ts'
import type { RouteInput } from '#contract/route.ts'
import type { Context } from '../platform/context.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { requirePast } from '../platform/past.ts'
import { getLine } from '../service-lines/get-line.ts'
import { describeEvents } from './describe-events.ts'
import { formatPlace } from './place.ts'
import { selectFleetEvents, selectLineEvents } from './select-events.ts'

const PAGE = 50

const readKinds = (names: readonly string[] = eventKinds): EventKind[] => {
  const kinds = eventKinds.filter((kind) => names.includes(kind))
  if (kinds.length === 0 || names.some((name) => !eventKinds.includes(name as EventKind)))
    throw invalid(`kinds: please choose among ${eventKinds.join(', ')}.`)
  return kinds
}

const list = (ctx: Context, input: RouteInput<typeof events.list>) => {
  const { terminal, before, after, at, limit = PAGE } = input
  const { tenantId, scope } = ctx
  const kinds = readKinds(input.kinds)
  if (at) requirePast(at, ctx.services.now())
  return ctx.transaction(async (db, client) => {
    // One extra row, to know whether there is a next page.
    const selection = { kinds, before, after, at, limit: limit + 1, seesPools: ctx.can('plan_manager') }
    const line = terminal === undefined ? undefined : await getLine(client, tenantId, terminal)
    const rows = line
      ? await selectLineEvents(
          db,
          tenantId,
          scope.group,
          { id: line.id, terminalIds: line.terminals.map(({ id }) => id) },
          selection,
        )
      : await selectFleetEvents(db, tenantId, scope.group, selection)
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    return {
      events: await describeEvents(db, tenantId, page, { seesAll: scope.group === undefined }),
      next: rows.length > limit && last ? formatPlace({ notedAt: last.noted_at, id: last.id }) : null,
    }
  })
}

export const eventHandlers: Handlers<typeof events> = { list }
