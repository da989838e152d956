import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { atLeast, exactly, type Figure, none } from '../figure.ts'
import { accountFor } from '../multi-process/accounting.ts'
import type { Child } from '../multi-process/child.ts'
import { msUntil } from '../multi-process/client.ts'
import { type MultiProcessStack, openMultiProcessStack } from '../multi-process/stack.ts'
import { accountForTelemetry } from '../multi-process/telemetry-accounting.ts'
import { tenantIds } from '../multi-process/tenants.ts'
import { startWriters, type Writers } from '../multi-process/writers.ts'
import type { ProofContext } from '../proof.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

/** Users keep writing. */
interface Scene {
  stack: MultiProcessStack
  work: Child
  writers: Writers
}

const countSpooled = (folder: string) =>
  readdirSync(join(folder, 'spool'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
    .length

/** Waits until the worker has a response of each vendor account on its disk that it cannot store, because of a lock. */
const blockStoring = async ({ superuser, folder, gate }: MultiProcessStack) => {
  // Before its first response, a worker stores the newest values, which can be requested again and are not on disk.
  const isStreaming = () =>
    new Set(
      gate
        .streamCalls()
        .filter(({ respondedMs }) => respondedMs !== undefined)
        .map(({ clientId }) => clientId),
    ).size >= tenantIds.length
  await msUntil(isStreaming)
  const client = new pg.Client(superuser)
  // It may end with the database.
  client.on('error', () => {})
  await client.connect()
  await client.query('begin; lock table telemetry_batches in exclusive mode')
  await msUntil(() => countSpooled(folder) >= tenantIds.length)
  return () => client.end().catch(() => {})
}

const untilWritten = async ({ writers }: Scene) => {
  const before = writers.acknowledged()
  await msUntil(() => writers.acknowledged() > before)
}

const untilPutOff = async ({ writers: { ledger } }: Scene) => {
  const before = ledger.putOff
  await msUntil(() => ledger.putOff > before)
}

const minutesSince = (beganMs: number) => (performance.now() - beganMs) / 60_000

/** Stops the database, kills the worker halfway, and starts both; returns how many responses only the worker's disk had. */
const takeAway = async (scene: Scene, ms: number) => {
  const { stack, work } = scene
  const unblock = await blockStoring(stack)
  await stack.stopDatabase()
  const beganMs = performance.now()
  await pause(ms / 2)
  await work.kill()
  const held = countSpooled(stack.folder)
  await pause(ms / 2)
  await untilPutOff(scene)
  const minutes = minutesSince(beganMs)
  await stack.startDatabase()
  await unblock()
  work.start()
  await untilWritten(scene)
  return { held, minutes }
}

const fill = async (scene: Scene, disk: SmallDisk, ms: number) => {
  const unblock = await blockStoring(scene.stack)
  disk.fillBut(0)
  const beganMs = performance.now()
  await unblock()
  await pause(ms)
  const minutes = minutesSince(beganMs)
  disk.free()
  await untilWritten(scene)
  return minutes
}

/** The database is away for ten minutes, in which the worker is killed; later its disk is full. */
export const outlastOutages = async ({ form, log }: ProofContext): Promise<Figure[]> => {
  const disk = mountSmallDisk()
  if (!disk) return [{ name: 'outages', value: 'left out', limit: 'needs the right to mount a small disk', pass: true }]
  const awayMs = form === 'full' ? 600_000 : 2_000
  const fullMs = form === 'full' ? 60_000 : 2_000
  log(`taking the database away for ${awayMs / 1000} s, then filling its disk for ${fullMs / 1000} s`)
  const stack = await openMultiProcessStack({
    terminals: 100,
    databaseDisk: disk.dir,
    databaseSettings: { max_wal_size: '128MB' },
  })
  const serve = await stack.child('serve', 'serve')
  const work = await stack.child('work', 'work')
  await serve.untilReady()
  await stack.waitForFleet()
  const writers = await startWriters(stack.database, [serve.url])
  const scene = { stack, work, writers }
  const away = await takeAway(scene, awayMs)
  const fullMinutes = await fill(scene, disk, fullMs)
  await writers.stop()
  const found = await accountFor(stack.database, writers.ledger)
  const telemetry = await accountForTelemetry(stack.database, stack.gate)
  return [
    atLeast('outages: time without the database', away.minutes, awayMs / 60_000, 'min'),
    atLeast('outages: time with a full disk of the database', fullMinutes, fullMs / 60_000, 'min'),
    atLeast('outages: writes put off with 503 and Retry-After', writers.ledger.putOff, 1),
    none('outages: other responses', writers.ledger.wrong),
    exactly('outages: acknowledged writes lost', found.lost, 0),
    exactly('outages: writes duplicated', found.doubled, 0),
    exactly('outages: audit chains that do not verify', found.brokenChains, 0),
    exactly('outages: unexpected exits of processes', serve.exits() + work.exits(), 0),
    atLeast('outages: responses of the vendor in the hands of the killed worker', away.held, tenantIds.length),
    atLeast('outages: telemetry rows delivered by the vendor', telemetry.rows, 1),
    exactly('outages: telemetry rows lost', telemetry.lost, 0),
    exactly('outages: telemetry batches not ingested in the end', telemetry.waiting, 0),
    exactly('outages: 2 min buckets with a wrong count', telemetry.wrongBuckets, 0),
  ]
}
