import { setTimeout as pause } from 'node:timers/promises'
import { atLeast, atMost, exactly, type Figure, none } from '../figure.ts'
import { accountFor } from '../multi-process/accounting.ts'
import type { Child } from '../multi-process/child.ts'
import { msUntil } from '../multi-process/client.ts'
import { watchLive } from '../multi-process/live-watch.ts'
import { type MultiProcessStack, openMultiProcessStack } from '../multi-process/stack.ts'
import { accountForTelemetry } from '../multi-process/telemetry-accounting.ts'
import { tenantIds } from '../multi-process/tenants.ts'
import { startWriters } from '../multi-process/writers.ts'
import type { Proof, ProofContext } from '../proof.ts'
import { checkAcrossProcesses } from './across-processes.ts'
import { countBusiestMinute, countDoubleReads, findLeader, runJobs } from './leaders.ts'
import { measureReach } from './live-reach.ts'
import { restartBehindNginx } from './rolling-restart.ts'

const VENDOR_LIMIT_PER_MINUTE = 250
/** The other processes take over its load, which leaves it little CPU time for its start. */
const BACK_WITHIN_MS = 10_000

const worst = (values: readonly number[]) => Math.max(...values)

/** Waits until each credential has a leader; returns the number of those that do. */
const countLed = async (stack: MultiProcessStack) => {
  const isLed = async (tenantId: string) => (await findLeader(stack, tenantId)) !== undefined
  let led = 0
  for (const tenantId of tenantIds) if (!Number.isNaN(await msUntil(() => isLed(tenantId)))) led++
  return led
}

/** Kills the worker that polls for the first tenant; returns how long it took until another did. */
const killLeader = async (stack: MultiProcessStack, works: readonly Child[]) => {
  const tenantId = tenantIds[0]
  await msUntil(async () => (await findLeader(stack, tenantId)) !== undefined)
  const name = await findLeader(stack, tenantId)
  const leader = works.find((work) => work.name === name)
  if (!leader) throw new Error(`No worker is called ${name}.`)
  const listOwnCalls = () => stack.gate.streamCalls().filter(({ clientId }) => clientId === `proof-${tenantId}`)
  const tokens = new Set(listOwnCalls().map(({ token }) => token))
  await stack.gate.closeStream()
  await leader.kill()
  stack.gate.openStream()
  const takenOverMs = await msUntil(() => listOwnCalls().some(({ token }) => !tokens.has(token)))
  leader.start()
  return takenOverMs
}

const startAll = async (stack: MultiProcessStack) => {
  const serves = await Promise.all([
    stack.child('serve', 'serve-1'),
    stack.child('serve', 'serve-2'),
    stack.child('serve', 'serve-3'),
  ])
  const works = await Promise.all(['work-1', 'work-2'].map((name) => stack.child('work', name)))
  for (const serve of serves) await serve.untilReady()
  await stack.waitForFleet()
  return { serves, works }
}

const run = async ({ form, log }: ProofContext): Promise<Figure[]> => {
  const isFull = form === 'full'
  const stack = await openMultiProcessStack({ terminals: 60, environment: isFull ? {} : { DRAIN_SECONDS: '3' } })
  const { serves, works } = await startAll(stack)
  const urls = serves.map(({ url }) => url)
  const led = await countLed(stack)
  const writers = await startWriters(stack.database, urls)
  const [admin, line] = [writers.clients.get('alpha'), writers.ledger.writes[0]?.line]
  if (!admin || !line) throw new Error('Nobody writes.')
  const watches = urls.map((url) => watchLive(admin, url))

  log('changes, permissions and sign-outs across three processes')
  const reach = await measureReach({ client: admin, line, urls, watches, round: 'all' }, isFull ? 60 : 3)
  const said = await checkAcrossProcesses(admin, urls, isFull ? 12 : 2)
  const jobs = await runJobs(stack, isFull ? 50 : 3)
  if (isFull) await pause(60_000)
  const sentTwice = countSentTwice(stack)

  log('killing one process after the other')
  const readyMs: number[] = []
  const restMs: number[] = []
  let missed = reach.missed
  for (const [index, serve] of (isFull ? serves : serves.slice(0, 1)).entries()) {
    await serve.kill()
    const others = { urls: urls.filter((url) => url !== serve.url), watches: watches.filter((_, at) => at !== index) }
    const rest = await measureReach({ client: admin, line, ...others, round: serve.name }, 2)
    missed += rest.missed
    restMs.push(...rest.receivedMs)
    serve.start()
    readyMs.push(await serve.untilReady())
  }
  const takeovers = []
  for (let round = 0; round < (isFull ? 6 : 1); round++) takeovers.push(await killLeader(stack, works))
  await writers.stop()
  for (const watch of watches) await watch.stop()

  log('restarting one process after the other behind nginx')
  const rolling = await restartBehindNginx(stack, serves, { isFull, log })

  log('comparing acknowledged writes with the database')
  const writes = [...writers.ledger.writes, ...rolling.writes]
  const found = await accountFor(stack.database, { ...writers.ledger, writes })
  const telemetry = await accountForTelemetry(stack.database, stack.gate)
  const all = [...serves, ...works]
  return [
    exactly('serve and work processes on one PostgreSQL', `${serves.length} and ${works.length}`, '3 and 2'),
    exactly('vendor credentials with exactly one leader', led, tenantIds.length),
    exactly('telemetry of a credential requested by two processes at once', countDoubleReads(stack.gate), 0),
    atMost('most requests of a credential in one minute', countBusiestMinute(stack.gate), VENDOR_LIMIT_PER_MINUTE),
    exactly('jobs not done', jobs.undone, 0),
    exactly('daily mails sent too often or not at all', jobs.repeated, 0),
    exactly('mails sent twice', sentTwice, 0),
    exactly('changes missed by the stream of a process', missed, 0),
    atMost('change received on every process, slowest', worst([...reach.receivedMs, ...restMs]), 3_000, 'ms'),
    exactly('responses to a permission or session that another process had ended', said.stale, 0),
    atMost('open stream cut off by another process, slowest', worst(said.cutOffMs), 8_000, 'ms'),
    atMost('killed serve process ready again, slowest', worst(readyMs), BACK_WITHIN_MS, 'ms'),
    atMost('leader’s work taken over, slowest', worst(takeovers), BACK_WITHIN_MS, 'ms'),
    atLeast('acknowledged writes', found.acknowledged, isFull ? 5_000 : 100),
    exactly('acknowledged writes lost', found.lost, 0),
    exactly('writes duplicated', found.doubled, 0),
    exactly('audit chains that do not verify', found.brokenChains, 0),
    none('responses other than success, or 503 with Retry-After', writers.ledger.wrong),
    ...rolling.figures,
    exactly('telemetry rows lost', telemetry.lost, 0),
    exactly('2 min buckets with a wrong count', telemetry.wrongBuckets, 0),
    exactly(
      'unexpected exits of processes',
      all.reduce((sum, { exits }) => sum + exits(), 0),
      0,
    ),
  ]
}

const countSentTwice = ({ mail }: MultiProcessStack) => {
  const ids = mail.mails.map(({ header }) => header('Message-ID'))
  return ids.length - new Set(ids).size
}

export const processes: Proof = {
  name: 'processes',
  about:
    'Three serve and two work processes share one PostgreSQL: they work as one, killing any of them loses nothing, and restarting them behind nginx fails no request.',
  run,
}
