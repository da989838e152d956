import { invalid } from '#contract/errors.ts'
import { type EventKind, eventKinds, type events, MAX_PAGE } from '#contract/events.ts'
import type { RouteInput } from '#contract/route.ts'
import type { Context } from '../platform/context.ts'
import { toReadStatement } from '../platform/database/read-statement.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { requirePast } from '../platform/past.ts'
import { getLine } from '../service-lines/get-line.ts'
import { describeEvents } from './describe-events.ts'
import { formatCursor } from './event-cursor.ts'
import { buildFleetEventsQuery, buildLineEventsQuery, type EventRow } from './select-events.ts'

const PAGE = 50

const readKinds = (names: readonly string[] = eventKinds): EventKind[] => {
  const kinds = eventKinds.filter((kind) => names.includes(kind))
  if (kinds.length === 0 || names.some((name) => !eventKinds.includes(name as EventKind)))
    throw invalid(`kinds: please choose among ${eventKinds.join(', ')}.`)
  return kinds
}

/** Few page sizes, because each has a prepared statement. One extra row, to know whether there is a next page. */
const countFetched = (limit: number) => (limit <= PAGE ? PAGE : MAX_PAGE) + 1

const findLine = async ({ tenantId, transaction }: Context, name: string) => {
  const { id, terminals } = await transaction((_, client) => getLine(client, tenantId, name))
  return { id, terminalIds: terminals.map((terminal) => terminal.id) }
}

const list = async (ctx: Context, input: RouteInput<typeof events.list>) => {
  const { terminal, before, after, at, limit = PAGE } = input
  const { tenantId, scope, read } = ctx
  const kinds = readKinds(input.kinds)
  if (at) requirePast(at, ctx.services.now())
  const selection = { kinds, before, after, at, limit: countFetched(limit), seesPools: ctx.can('plan_manager') }
  const query =
    terminal === undefined
      ? buildFleetEventsQuery(tenantId, scope.group, selection)
      : buildLineEventsQuery(tenantId, scope.group, await findLine(ctx, terminal), selection)
  const rows = await read<EventRow>(toReadStatement(query))
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    events: await describeEvents(read, tenantId, page, { seesAll: scope.group === undefined }),
    next: rows.length > limit && last ? formatCursor({ notedAt: last.noted_at, id: last.id }) : null,
  }
}

export const eventHandlers: Handlers<typeof events> = { list }
