import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Outcome, runDishboard } from '#cli/testing/run-dishboard.ts'
import { periodsMin } from '#contract/period.ts'
import { compactPartitions } from '#server/telemetry/compaction.ts'
import { PACKED_TIER } from '#server/telemetry/tiers.ts'
import { openAccessWalk } from '#server/testing/access-walk.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { startSeededTenants } from '#server/testing/seeded-tenants.ts'
import { onCleanup } from '../cleanup.ts'
import { atLeast, exactly, type Figure } from '../figure.ts'
import { readBareTables } from '../isolation/bare-tables.ts'
import { STEPS, walkAll } from '../isolation/walk.ts'
import { msUntil } from '../multi-process/client.ts'
import { median } from '../statistics.ts'
import { type CitusCluster, formatUrl } from './cluster.ts'
import { deriveConsequences } from './consequences.ts'
import { readFleetResponses, type Shown } from './fleet-responses.ts'
import { explainRecorded } from './recording-client.ts'
import { digestTables, findDifferences, readResponses } from './responses.ts'
import { lines, minuteBody, type SeededServer } from './seed.ts'
import { findWorkerProcess } from './worker-node.ts'

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url))

const buildEnvironment = ({ runtime, owner, dataDir }: TestDatabase) => ({
  DATABASE_URL: formatUrl(runtime),
  DATABASE_OWNER_URL: formatUrl(owner),
  DATA_DIR: dataDir,
  SECRET_KEY: 'only-for-proofs-only-for-proofs-only-for-proofs',
})

const requireSuccess = ({ code, out, err }: Outcome) => {
  if (code !== 0) throw new Error(`A command failed: ${out}${err}`)
}

/** Kills the command after it has distributed the first table. */
const interruptDistribute = async (test: TestDatabase) => {
  const child = spawn(process.execPath, [main, 'distribute'], {
    env: { PATH: process.env.PATH, ...buildEnvironment(test) },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const gone = once(child, 'exit')
  child.stdout.once('data', () => child.kill('SIGKILL'))
  await gone
}

/** Distributes a database, interrupted once, and runs `doctor` and other commands before and after. */
export const distributeInTwoRuns = async (test: TestDatabase): Promise<Figure[]> => {
  const run = (...args: string[]) => runDishboard(args, buildEnvironment(test))
  const findFinding = ({ out }: Outcome) => out.split('\n').find((line) => line.includes(' distribution: ')) ?? 'none'
  const before = findFinding(await run('doctor'))
  await interruptDistribute(test)
  const half = findFinding(await run('doctor'))
  const refused = await run('backup', join(tmpdir(), 'not-written.dishboard'))
  requireSuccess(await run('distribute'))
  const whole = findFinding(await run('doctor'))
  requireSuccess(await run('distribute'))
  return [
    exactly('doctor on a database that is not distributed', before, 'none'),
    exactly('doctor after distribute was killed', half.slice(0, 4), 'FAIL'),
    exactly(
      'a command on it',
      /distributed in part/.test(refused.err) ? 'refused with the reason' : refused.err,
      'refused with the reason',
    ),
    exactly('doctor after distribute was run again', whole.slice(0, 4).trim(), 'ok'),
  ]
}

export const distributeOnce = async (test: TestDatabase) =>
  requireSuccess(await runDishboard(['distribute'], buildEnvironment(test)))

/** What a user of another tenant or group can see and do, and what every table returns without a condition. */
export const checkIsolation = async (
  test: TestDatabase,
  { everyNthStep, readers, log }: { everyNthStep: number; readers: number; log: (message: string) => void },
): Promise<Figure[]> => {
  const seeded = await startSeededTenants(test)
  const close = onCleanup(() => seeded.close())
  const walked = await walkAll(await openAccessWalk(seeded), everyNthStep, log)
  const bare = await readBareTables(test, readers)
  await close()
  return [
    atLeast('isolation: steps of the access walk', walked.steps, Math.floor(STEPS / everyNthStep)),
    exactly('isolation: steps with a wrong response, a leak or a write', walked.faults, 0),
    atLeast(`isolation: tables read without a condition, ${bare.reads} times`, bare.tables, 45),
    exactly('isolation: rows of another tenant among them', bare.foreign, 0),
    exactly('isolation: tables that showed no row of the tenant itself', bare.missing, 0),
    exactly('isolation: rows shown to a connection without a tenant', bare.withoutTenant, 0),
  ]
}

const describeDifference = (one = '', other = '') => {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const show = (text: string) => text.slice(Math.max(0, at - 80), at + 60)
  return `${show(one)} instead of ${show(other)}`
}

/** The same calls about terminals on both. */
export const compareResponses = async (
  spread: SeededServer,
  plain: SeededServer,
  log: (message: string) => void,
): Promise<Figure[]> => {
  const [ours, theirs] = [await readResponses(spread), await readResponses(plain)]
  const different = findDifferences(ours, theirs)
  for (const name of different.slice(0, 3)) log(`${name}: ${describeDifference(ours.get(name), theirs.get(name))}`)
  const rows = findDifferences(await digestTables(spread), await digestTables(plain)).filter((name) =>
    isTelemetry(name),
  )
  return [
    atLeast(
      'answers of pages and files, all six periods',
      ours.size,
      spread.callers.length * lines.length * periodsMin.length * 2,
    ),
    atLeast('of them with status 200', [...ours.values()].filter((answer) => answer.startsWith('200')).length, 80),
    exactly('answers that differ from those of plain PostgreSQL', different.length, 0),
    exactly('tables of samples and tiers whose rows differ', rows.join(' ') || 0, 0),
  ]
}

/** A warning compares weeks. */
const DAYS_UNTIL_WARNING = 30

/** The same calls about fleets on both, with what background work has derived from the telemetry of each. */
export const compareFleets = async (
  spread: SeededServer,
  plain: SeededServer,
  { log, ...shown }: Shown & { log: (message: string) => void },
): Promise<Figure[]> => {
  for (const server of [spread, plain]) await deriveConsequences(server, shown)
  const [ours, theirs] = [await readFleetResponses(spread, shown), await readFleetResponses(plain, shown)]
  const different = findDifferences(ours, theirs)
  for (const name of different.slice(0, 10)) log(`${name}: ${describeDifference(ours.get(name), theirs.get(name))}`)
  const count = (kind: string) =>
    [...ours].filter(([name, text]) => name.startsWith(kind) && text.startsWith('200')).length
  const withWarning = [...ours.values()].filter((text) => text.includes('growing obstruction'))
  return [
    atLeast('answers about fleets: lists, availability, incidents, warnings, events, months, reports', ours.size, 400),
    atLeast('of them of a time in the past', count('terminals/'), 40),
    atLeast('incidents and warnings among them', count('incidents '), 8),
    atLeast('reports among them', count('reports '), 2),
    atLeast('answers with an early warning', withWarning.length, shown.historyDays > DAYS_UNTIL_WARNING ? 1 : 0),
    exactly('answers that differ from those of plain PostgreSQL', different.length, 0),
  ]
}

/** The plans of all reads of samples and tiers that requests and background work have made. */
export const inspectPlans = async (spread: SeededServer, log: (message: string) => void): Promise<Figure[]> => {
  const plans = await explainRecorded(spread.database, 'a')
  const single = plans.filter(({ reads }) => reads === 'one terminal')
  const multiple = plans.filter(({ reads }) => reads === 'many terminals')
  const scattered = single.filter(({ shards, isPushedDown }) => shards !== 1 || !isPushedDown)
  const pulled = multiple.filter(({ isPushedDown }) => !isPushedDown)
  const unbounded = plans.filter(({ reads }) => reads === 'everything')
  for (const { text, shards } of [...scattered, ...pulled, ...unbounded]) log(`${shards} shards: ${text.slice(0, 300)}`)
  return [
    atLeast('different reads of one terminal in samples and tiers that these calls made', single.length, 10),
    exactly('of them sent to more than one shard', scattered.length, 0),
    atLeast('different reads of many terminals', multiple.length, 5),
    exactly('of them not computed on the shards', pulled.length, 0),
    exactly('different reads that name no terminals', unbounded.length, 0),
  ]
}

const compactAll = async ({ database }: SeededServer, nowMs: number) => {
  const names: string[] = []
  for (;;) {
    const some = await compactPartitions(database, nowMs)
    if (some.length === 0) return names
    names.push(...some)
  }
}

/** Compacts the older buckets of both for long-term storage. */
export const compactBoth = async (
  spread: SeededServer,
  plain: SeededServer,
  { log, ...shown }: Shown & { log: (message: string) => void },
): Promise<Figure[]> => {
  const { nowMs } = shown
  const readAll = async () => new Map([...(await readResponses(spread)), ...(await readFleetResponses(spread, shown))])
  const before = await readAll()
  const [ours, theirs] = [await compactAll(spread, nowMs), await compactAll(plain, nowMs)]
  log(`on Citus ${ours.length} partitions, on plain PostgreSQL ${theirs.length}`)
  const isPacked = (name: string) => name.startsWith(PACKED_TIER.name)
  return [
    atLeast('days packed on Citus', ours.length, 1),
    exactly('days packed on plain PostgreSQL', theirs.filter(isPacked).length, ours.filter(isPacked).length),
    exactly('answers that differ once they are packed', findDifferences(before, await readAll()).length, 0),
  ]
}

const isTelemetry = (table: string) => table === 'samples' || table.startsWith('tier_')

const requestAll = async (server: SeededServer) => {
  const statuses = new Map<string, { status: number; message: string }>()
  for (const { tenant, name } of lines) {
    const { status, body } = await server.as(
      tenant === 'a' ? 'admin' : 'foreign',
      'POST',
      `/api/terminals/${name}/1440/`,
    )
    statuses.set(name, { status, message: JSON.stringify(body).slice(0, 200) })
  }
  return statuses
}

const countStatus = (responses: Awaited<ReturnType<typeof requestAll>>, wanted: number) =>
  [...responses.values()].filter(({ status }) => status === wanted).length

/** Kills a worker while pages are read and a batch arrives, starts it again, and compares with plain PostgreSQL. */
export const killWorker = async (
  cluster: CitusCluster,
  spread: SeededServer,
  plain: SeededServer,
  { nowMs, log }: { nowMs: number; log: (message: string) => void },
): Promise<Figure[]> => {
  const [node] = cluster.workers
  const worker = node && (await findWorkerProcess(cluster, node))
  if (!worker) {
    log('the worker is on another machine; its failure is not counted')
    return []
  }
  await worker.kill()
  const start = onCleanup(worker.start)
  const during = await requestAll(spread)
  const list = await spread.as('admin', 'GET', '/api/terminals/')
  for (const [name, { status, message }] of during)
    if (status !== 200 && status !== 503) log(`${name}: ${status} ${message}`)
  const failures: string[] = []
  for (const tenant of ['a', 'b'] as const)
    await spread.feeds[tenant]
      ?.receive(minuteBody(tenant, nowMs + 15_000))
      .catch((error: Error & { code?: string }) => {
        failures.push(`${error.code} ${error.message}`)
      })
  log(`a batch meanwhile: ${failures[0] ?? 'stored'}`)
  await start()
  const recoveredMs = await msUntil(async () => countStatus(await requestAll(spread), 200) === lines.length)
  const laterMs = nowMs + 75_000
  for (const server of [spread, plain]) server.clock.now = new Date(laterMs + 60_000)
  for (const tenant of ['a', 'b'] as const) {
    await plain.feeds[tenant]?.receive(minuteBody(tenant, nowMs + 15_000))
    for (const server of [spread, plain]) await server.feeds[tenant]?.receive(minuteBody(tenant, laterMs))
  }
  const different = findDifferences(await readResponses(spread), await readResponses(plain))
  const rows = findDifferences(await digestTables(spread), await digestTables(plain)).filter((name) =>
    isTelemetry(name),
  )
  return [
    atLeast('worker killed: pages of its terminals answered with 503', countStatus(during, 503), 1),
    exactly(
      'worker killed: pages answered otherwise than 200 or 503',
      lines.length - countStatus(during, 200) - countStatus(during, 503),
      0,
    ),
    exactly('worker killed: the list of terminals', list.status, 200),
    { timed: true, ...atLeast('seconds from its start until all pages are answered', recoveredMs / 1000, 0) },
    exactly('answers that differ afterwards, with the batches that came meanwhile', different.length, 0),
    exactly('tables of samples and tiers whose rows differ afterwards', rows.join(' ') || 0, 0),
  ]
}

/** Tables in which a restore records that it takes over the editing logs. */
const WRITTEN_BY_COMMANDS = ['audit_anchors', 'audit_ends', 'security_events']

/** A backup of the distributed database, restored into a new one that is then distributed. */
export const backUpAndRestore = async (
  spread: SeededServer,
  createDatabase: CitusCluster['createDatabase'],
): Promise<Figure[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'dishboard-proof-'))
  onCleanup(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'citus.dishboard')
  const run = (test: TestDatabase, ...args: string[]) => runDishboard(args, buildEnvironment(test))
  const before = await digestTables(spread)
  requireSuccess(await run(spread, 'backup', file))
  const refused = await run(spread, 'restore', file)
  const restored = await createDatabase({ isMigrated: false })
  requireSuccess(await run(restored, 'restore', file))
  requireSuccess(await run(restored, 'distribute'))
  const theirs = await digestTables(restored)
  const different = findDifferences(before, theirs).filter((name) => !WRITTEN_BY_COMMANDS.includes(name))
  await restored.close()
  return [
    exactly(
      'restore into a distributed database',
      /is distributed/.test(refused.err) ? 'refused with the reason' : refused.err,
      'refused with the reason',
    ),
    atLeast('tables backed up, restored and distributed', theirs.size, 45),
    exactly('of them with other rows than before', different.join(' ') || 0, 0),
  ]
}

/**
 * p50 of a page on Citus as a multiple of plain PostgreSQL, alternating, so that both see the same load of the
 * machine.
 */
export const timePages = async (spread: SeededServer, plain: SeededServer, rounds: number) => {
  const times = { spread: [] as number[], plain: [] as number[] }
  const time = async (server: SeededServer, into: number[], period: number) => {
    const beganMs = performance.now()
    await server.as('admin', 'POST', `/api/terminals/school/${period}/`)
    into.push(performance.now() - beganMs)
  }
  for (let round = 0; round < rounds; round++)
    for (const period of periodsMin) {
      await time(spread, times.spread, period)
      await time(plain, times.plain, period)
    }
  return { spreadMs: median(times.spread), plainMs: median(times.plain) }
}
