import * as z from 'zod/mini'
import type { RouteInput } from '#contract/route.ts'
import { type TerminalDetail, terminalDetail } from '#contract/terminal-detail.ts'
import { toDay } from '../plans/days.ts'
import type { Context } from '../platform/context.ts'
import { RawResponse } from '../platform/http/mount.ts'
import { notYours } from '../service-lines/get-line.ts'
import { getBucketStart } from '../telemetry/tiers.ts'
import { buildDetail, type DetailSignals } from './build-detail.ts'
import { findLineFacts } from './facts.ts'
import { readLastKnown } from './last-known.ts'
import { readPastLine } from './past-line.ts'
import { chooseTier, getStepS, readAllSignals, type Signals } from './signals.ts'

const MIN_MS = 60_000

type Input = RouteInput<typeof terminalDetail.get>

export const getDetail = (context: Context, { at, ...input }: Input) =>
  at ? getPastDetail(context, { ...input, at }) : getPresentDetail(context, input)

const getPresentDetail = async (context: Context, { kitnumber, period, coarse }: Omit<Input, 'at'>) => {
  const { services, tenantId, permissions, read } = context
  const to = services.now()
  const from = new Date(to.getTime() - period * MIN_MS)
  const today = toDay(to)
  const tier = chooseTier(period, to, to, coarse)
  // On two connections at once, because sequential reads would add up.
  const [found, signalsById] = await Promise.all([
    findLineFacts(read, { tenantId, key: kitnumber, yearStart: `${today.slice(0, 4)}-01-01`, today }),
    readAllSignals(read, { tenantId, key: kitnumber, tier, from, to }),
  ])
  if (!found) throw notYours()
  // A terminal added to the line between the two reads appears with the next request.
  const line = { ...found, terminals: found.terminals.filter(({ id }) => signalsById.has(id)) }
  const signals: DetailSignals[] = await Promise.all(
    line.terminals.map(async (terminal) => ({
      ...(signalsById.get(terminal.id) as Signals),
      lastKnown: await readLastKnown(read, tenantId, terminal),
    })),
  )
  const detail = buildDetail(line, signals, {
    period: { from, to },
    stepS: getStepS(tier),
    today,
    seesMetadata: permissions.metadata !== 'cannot_see',
  })
  return sendDetail(detail, signals)
}

/** The detail as of a time: its charts end there, and nothing in it is later. */
const getPastDetail = async (context: Context, { kitnumber, period, at, coarse }: Omit<Input, 'at'> & { at: Date }) => {
  const { tenantId, permissions, read, services } = context
  const from = new Date(at.getTime() - period * MIN_MS)
  const tier = chooseTier(period, from, services.now(), coarse)
  const line = await readPastLine(context, kitnumber, at)
  // A bucket that had not ended contains later samples.
  const to = tier ? new Date(getBucketStart(at.getTime(), tier.bucketMs)) : at
  const key = line.facts.terminals.map(({ id }) => id)
  const signalsById = await readAllSignals(read, { tenantId, key, tier, from, to })
  const signals = line.facts.terminals.map(({ id }) => ({
    ...(signalsById.get(id) as Signals),
    lastKnown: new Map(),
  }))
  const detail = buildDetail(line.facts, signals, {
    period: { from, to: at },
    stepS: getStepS(tier),
    today: line.lastDay,
    seesMetadata: permissions.metadata !== 'cannot_see',
  })
  return sendDetail({ ...detail, past: line.past }, signals)
}

const sendDetail = (detail: TerminalDetail, signals: readonly Signals[]) => {
  const body = buildBody(z.encode(terminalDetail.get.output, detail), signals)
  return new RawResponse((_, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send(body),
  )
}

type Wire = z.input<typeof terminalDetail.get.output>

/** Builds the response's JSON and inserts the points. */
const buildBody = ({ terminal_data, ...rest }: Wire, signals: readonly Signals[]) => {
  const parts: (Buffer | string)[] = ['{"terminal_data":[']
  for (const [index, { signals: _, bands: __, ...terminal }] of terminal_data.entries()) {
    const { points, bands } = signals[index] as Signals
    const facts = JSON.stringify(terminal).slice(0, -1)
    parts.push(`${index === 0 ? '' : ','}${facts},"signals":[`, points, '],"bands":', bands ?? 'null', '}')
  }
  parts.push(`],${JSON.stringify(rest).slice(1)}`)
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
}
