import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '#server/platform/database/database.ts'
import { readConfig } from '#server/process/config.ts'
import { openInstallation } from '#server/process/installation.ts'
import { onCleanup } from '../cleanup.ts'
import { atLeast, atMost, exactly, type Figure, none } from '../figure.ts'
import { accountFor } from '../multi-process/accounting.ts'
import { createChild } from '../multi-process/child.ts'
import { msUntil } from '../multi-process/client.ts'
import { addTenants, tenantIds } from '../multi-process/tenants.ts'
import { writeKinds } from '../multi-process/write-kinds.ts'
import { startWriters, type Writers } from '../multi-process/writers.ts'
import type { ProofContext } from '../proof.ts'
import { mountSmallDisk } from './small-disk.ts'

const NEARLY_FULL_BYTES = 32 * 1024 ** 2
// Writes to lines need a vendor that has reported some.
const kinds = writeKinds.filter(({ name }) => ['user', 'file', 'notice'].includes(name))

/** The product with its embedded database on a disk that will be full. */
const openStack = async (disk: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'dishboard-proof-'))
  chmodSync(folder, 0o711)
  onCleanup(() => rmSync(folder, { recursive: true, force: true }))
  const environment = {
    DATA_DIR: join(disk, 'data'),
    DEMO: '0',
    SECRET_KEY: 'a key of the proofs that is long enough',
    LOG_LEVEL: 'fatal',
  }
  const child = await createChild({ name: 'stack', part: undefined, environment, folder })
  onCleanup(child.stop)
  child.start()
  await child.untilReady()
  const installation = await openInstallation(readConfig(environment), { shared: true })
  onCleanup(installation.database.close)
  const owner = openDatabase(installation.owner ?? {}, () => {})
  const nowhere = 'http://127.0.0.1:9/'
  await addTenants({
    owner,
    database: installation.database,
    secrets: installation.secrets,
    vendor: { baseUrl: nowhere, tokenUrl: nowhere },
    accounts: tenantIds.map((id) => ({ clientId: id, clientSecret: id })),
  })
  await owner.close()
  const pidFile = join(environment.DATA_DIR, 'postgres/cluster/postmaster.pid')
  return { child, installation, postmasterPid: () => Number(readFileSync(pidFile, 'utf8').split('\n')[0]) }
}

/** Reads for the given time; returns the number of reads and of failed reads. */
const readFor = async ({ clients }: Writers, url: string, ms: number) => {
  const end = performance.now() + ms
  let reads = 0
  let failed = 0
  while (performance.now() < end)
    for (const client of clients.values()) {
      reads++
      if ((await client.call(url, { method: 'GET', path: '/get-users/' }))?.status !== 200) failed++
    }
  return { reads, failed }
}

/** Fills the disk under a running stack, almost and to the last byte, and frees the space again. */
export const fillDisk = async ({ form, log }: ProofContext): Promise<Figure[]> => {
  const disk = mountSmallDisk()
  if (!disk)
    return [{ name: 'disk full', value: 'left out', limit: 'needs the right to mount a small disk', pass: true }]
  log('filling the disk of the embedded database')
  const heldMs = form === 'full' ? 8_000 : 1_500
  const { child, installation, postmasterPid } = await openStack(disk.dir)
  const { database } = installation
  const writers = await startWriters(database, [child.url], kinds)
  const acknowledgedAfter = async (since: number) => {
    const begin = performance.now()
    await msUntil(() => writers.acknowledged() > since)
    return performance.now() - begin
  }
  await acknowledgedAfter(20)

  const whileFull = async (leftBytes: number) => {
    disk.fillBut(leftBytes)
    // Writes in progress when the disk became full may still be acknowledged.
    await pause(1_000)
    const before = writers.acknowledged()
    const putOff = writers.ledger.putOff
    const reading = await readFor(writers, child.url, heldMs)
    return { ...reading, written: writers.acknowledged() - before, putOff: writers.ledger.putOff - putOff }
  }
  const nearly = await whileFull(NEARLY_FULL_BYTES)
  const wholly = await whileFull(0)
  disk.free()
  const backMs = await acknowledgedAfter(writers.acknowledged())

  disk.fillBut(0)
  await pause(500)
  process.kill(postmasterPid(), 'SIGKILL')
  await pause(3_000)
  disk.free()
  const backAfterKillMs = await acknowledgedAfter(writers.acknowledged())
  await writers.stop()
  const found = await accountFor(database, writers.ledger)
  return [
    exactly('disk full: reads that failed', nearly.failed + wholly.failed, 0),
    atLeast('disk full: reads that worked', nearly.reads + wholly.reads, 2),
    atLeast('disk full: writes answered with 503 and Retry-After', nearly.putOff + wholly.putOff, 2),
    exactly('disk full: writes accepted without free space', nearly.written + wholly.written, 0),
    none('disk full: other responses', writers.ledger.wrong),
    atLeast('disk full: acknowledged writes', found.acknowledged, 20),
    exactly('disk full: acknowledged writes lost', found.lost, 0),
    exactly('disk full: writes duplicated', found.doubled, 0),
    exactly('disk full: audit chains that do not verify', found.brokenChains, 0),
    exactly('disk full: unexpected exits of processes', child.exits(), 0),
    atMost('disk full: normal again once there is space', backMs, 5_000, 'ms'),
    atMost('disk full: the same after kill -9 of the database meanwhile', backAfterKillMs, 10_000, 'ms'),
  ]
}
