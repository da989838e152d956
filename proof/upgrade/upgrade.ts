import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listSections, openBackup } from '#server/backup/backup-file.ts'
import { restoreBackup } from '#server/backup/restore-backup.ts'
import { readReleasedRows } from '#server/backup/testing/released-rows.ts'
import { compareRows, type Rows, readTables } from '#server/backup/testing/rows.ts'
import { deriveSecrets } from '#server/platform/secrets.ts'
import { atLeast, exactly, type Figure } from '../figure.ts'
import type { Proof, ProofContext } from '../proof.ts'
import { type Cluster, countRows, query, startCluster } from './cluster.ts'
import { fillDatabase, PLAIN_SECRET, SECRET_KEY } from './fill.ts'
import { dishboard, killDishboard } from './operator.ts'
import { countTaken } from './refusals.ts'
import { countHalves, startWriters } from './writers.ts'

const sizes = {
  short: { samples: 60_000, damages: 8 },
  full: { samples: 1_000_000, damages: 100 },
}

const released = fileURLToPath(new URL('../../server/backup/released/', import.meta.url))

const timed = async <T>(work: () => Promise<T>) => {
  const startedMs = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - startedMs) / 1000 }
}

const requireSuccess = ({ code, err }: { code: number | null; err: string }) => {
  if (code !== 0) throw new Error(err)
}

const holdsPlainSecret = async (path: string) => {
  const backup = await openBackup(path)
  try {
    for await (const section of listSections(backup)) {
      let tail = ''
      for await (const bytes of section.read()) {
        const text = tail + bytes.toString('latin1')
        if (text.includes(PLAIN_SECRET)) return true
        tail = text.slice(-PLAIN_SECRET.length)
      }
    }
    return false
  } finally {
    await backup.close()
  }
}

const proveReleases = async ({ createDatabase }: Cluster): Promise<Figure[]> => {
  const figures: Figure[] = []
  for (const file of await readdir(released)) {
    const target = await createDatabase()
    const path = join(released, file)
    const secrets = deriveSecrets(SECRET_KEY)
    await restoreBackup(path, { owner: target.owner, runtimeRole: target.runtime.user as string, secrets })
    const empty = { ...(await createDatabase()), runtimeRole: target.runtime.user as string }
    const { expected, found } = await readReleasedRows(path, target.superuser, empty)
    const { missing, added } = compareRows(expected, found)
    const version = file.replace('.dishboard', '')
    figures.push(exactly(`rows of a database of ${version} lost or altered by its upgrade`, missing + added, 0))
  }
  return figures
}

/** A restore signs the end of each editing log with its own key, records that as an event, and enqueues the jobs that follow. */
const REWRITTEN = new Set(['audit_anchors', 'audit_ends', 'jobs', 'job_requests', 'processes', 'security_events'])
const dropRewritten = (rows: Rows): Rows => new Map([...rows].filter(([table]) => !REWRITTEN.has(table)))
const countLines = (rows: Rows) => [...rows.values()].flat().length

const run = async ({ form, log }: ProofContext): Promise<Figure[]> => {
  const { samples, damages } = sizes[form]
  const cluster = await startCluster()
  const source = await cluster.createDatabase()
  await fillDatabase(source, samples)
  const file = join(cluster.folder, 'whole.dishboard')

  log('a backup while users write')
  const during = join(cluster.folder, 'during.dishboard')
  const writers = startWriters(source)
  requireSuccess(await dishboard(source, 'backup', during))
  const written = await writers.stop()
  const moment = await cluster.createDatabase()
  requireSuccess(await dishboard(moment, 'restore', during))

  log('a backup and its restore, compared row by row')
  const backup = await timed(() => dishboard(source, 'backup', file))
  requireSuccess(backup.result)
  const target = await cluster.createDatabase()
  const restore = await timed(() => dishboard(target, 'restore', file))
  requireSuccess(restore.result)
  const before = await readTables(source.superuser)
  const compared = dropRewritten(before)
  const rows = countLines(compared)
  const { missing, added } = compareRows(compared, await readTables(target.superuser))
  const verified = await Promise.all(['a', 'b'].map((id) => dishboard(target, 'audit', 'verify', '--tenant', id)))
  const empty = [...before.values()].filter((lines) => lines.length < 2).length

  log('damaged files and killed commands')
  const refusing = await cluster.createDatabase()
  const taken = await countTaken(file, cluster.folder, refusing, damages)
  const killed = join(cluster.folder, 'killed.dishboard')
  const killedBackup = await killDishboard(source, ['backup', killed], async () => existsSync(`${killed}.part`))
  const killedRestore = await killDishboard(refusing, ['restore', file], async () => {
    const copying =
      "select from pg_stat_activity where datname = current_database() and state <> 'idle' and query ~ '^copy dishboard_restore'"
    return (await query(refusing, copying)).length > 0
  })
  const left = await countRows(refusing)
  requireSuccess(await dishboard(refusing, 'restore', file))

  log('going back to the version before')
  // What a newer version leaves behind; the operator goes back to the restored database.
  await query(source, "insert into schema_migrations (name, timestamp) values ('9999_newer', '2030-01-01')")
  const refused = await dishboard(source, 'migrate')
  const { out: findings } = await dishboard(target, 'doctor')

  log('releases')
  return [
    atLeast('rows of two tenants backed up and restored', rows, samples),
    exactly('tables without a row, which a backup could leave out unnoticed', empty, 0),
    exactly('rows lost', missing, 0),
    exactly('rows altered or added', added, 0),
    exactly('editing logs intact after the restore', verified.filter(({ code }) => code === 0).length, 2),
    exactly('vendor secrets readable in the file', Number(await holdsPlainSecret(file)), 0),
    atLeast('transactions during the backup', written, 1),
    exactly('transactions of which the backup has only a half', await countHalves(moment), 0),
    exactly(`of ${damages} truncated files, accepted as a backup`, taken.cut, 0),
    exactly(`of ${damages} files with one bit flipped, accepted as a backup`, taken.altered, 0),
    exactly('files left by a killed backup', Number(killedBackup && existsSync(killed)), 0),
    exactly('rows left by a killed restore', killedRestore ? left : Number.NaN, 0),
    exactly(
      'rows after the restore that followed',
      countLines(dropRewritten(await readTables(refusing.superuser))),
      rows,
    ),
    exactly(
      'this version on a database that a newer one has migrated',
      /A newer version has changed the database/.test(refused.err) ? 'refused' : `code ${refused.code}`,
      'refused',
    ),
    exactly('the restored database has the schema of this version', Number(/^ok +migrations/m.test(findings)), 1),
    ...(await proveReleases(cluster)),
    atLeast('rows backed up', rows / backup.seconds, form === 'full' ? 20_000 : 1000, 'rows/s'),
    atLeast('rows restored', rows / restore.seconds, form === 'full' ? 10_000 : 1000, 'rows/s'),
    atLeast('rows per kilobyte of the file', rows / ((await stat(file)).size / 1024), 10),
  ]
}

export const upgrade: Proof = {
  name: 'upgrade',
  about:
    'A backup has every tenant’s rows and is restored completely or not at all, and every release can be upgraded.',
  run,
}
