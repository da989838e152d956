import { onCleanup } from '../cleanup.ts'
import type { Figure } from '../figure.ts'
import type { Proof, ProofContext } from '../proof.ts'
import { openCitusCluster } from './cluster.ts'
import { RecordingClient } from './recording-client.ts'
import { seedServer } from './seed.ts'
import {
  backUpAndRestore,
  checkIsolation,
  compactBoth,
  compareFleets,
  compareResponses,
  distributeInTwoRuns,
  distributeOnce,
  inspectPlans,
  killWorker,
  timePages,
} from './steps.ts'
import { upgradeDistributed } from './upgrade.ts'

const SIZES = {
  short: { historyDays: 3, streamHours: 4, everyNthStep: 13, readers: 6, timedRounds: 5 },
  full: { historyDays: 64, streamHours: 26, everyNthStep: 1, readers: 60, timedRounds: 60 },
}

const TWO_HOURS_MS = 7_200_000

const run = async ({ form, log }: ProofContext): Promise<Figure[] | undefined> => {
  const url = process.env.CITUS_URL
  if (!url) {
    log('CITUS_URL is not set, so nothing is counted; proof/citus/cluster.sh starts a cluster and prints it')
    return undefined
  }
  const size = SIZES[form]
  const cluster = await openCitusCluster(url)
  log(`${cluster.version.split(' gitref')[0]}, ${cluster.workers.length} workers`)
  // In the middle of a bucket of every tier.
  const nowMs = Math.floor(Date.now() / TWO_HOURS_MS) * TWO_HOURS_MS - TWO_HOURS_MS / 3

  log('distribute, killed and run again')
  const test = await cluster.createDatabase({ pool: { Client: RecordingClient } })
  const distributed = await distributeInTwoRuns(test)
  log('a distributed database of an earlier version')
  const upgraded = await upgradeDistributed(cluster.createDatabase)
  log('the same telemetry for Citus and for plain PostgreSQL on the same server')
  const spread = await seedServer(test, { ...size, nowMs })
  const closeSpread = onCleanup(() => spread.close())
  const plain = await seedServer(await cluster.createDatabase({ isPlain: true }), { ...size, nowMs })
  const closePlain = onCleanup(() => plain.close())
  log('incidents, warnings and reports of both')
  const shown = { nowMs, historyDays: size.historyDays, judgedAt: new Date(), log }
  const fleets = await compareFleets(spread, plain, shown)
  const packed = await compactBoth(spread, plain, shown)
  const compared = await compareResponses(spread, plain, log)
  const planned = await inspectPlans(spread, log)
  log('a worker is killed')
  const killed = await killWorker(cluster, spread, plain, { nowMs, log })
  log('backup and restore')
  const restored = await backUpAndRestore(spread, cluster.createDatabase)
  const { spreadMs, plainMs } = await timePages(spread, plain, size.timedRounds)
  const rate = ({ rows, ms }: { rows: number; ms: number }) => (rows * 1000) / ms
  const timed: Figure[] = [
    {
      name: 'a page on Citus as a multiple of plain PostgreSQL, p50',
      value: spreadMs / plainMs,
      unit: 'times',
      limit: `plain: ${plainMs.toFixed(1)} ms`,
      pass: true,
    },
    {
      name: 'samples ingested on Citus as a share of plain PostgreSQL',
      value: rate(spread.ingest) / rate(plain.ingest),
      limit: `plain: ${Math.round(rate(plain.ingest))} rows/s`,
      pass: true,
      timed: true,
    },
  ]
  await closeSpread()
  await closePlain()

  log('the access walk')
  const walked = await cluster.createDatabase({ pool: { max: 4 } })
  await distributeOnce(walked)
  const isolated = await checkIsolation(walked, { ...size, log })
  return [
    ...distributed,
    ...upgraded,
    ...fleets,
    ...packed,
    ...compared,
    ...planned,
    ...killed,
    ...restored,
    ...isolated,
    ...timed,
  ]
}

export const citus: Proof = {
  name: 'citus',
  about:
    'A distributed database responds like plain PostgreSQL: isolation, ingest, roll-up, pages, files, lists of the past, availability, incidents, reports, backup, and the failure of a worker. Needs CITUS_URL, the coordinator of a cluster on this machine.',
  run,
}
