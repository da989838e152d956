import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { restoreBackup } from '#server/backup/restore-backup.ts'
import { writeBackup } from '#server/backup/write-backup.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { embeddedRuntimeRole, prepareCluster } from '#server/platform/database/roles.ts'
import { defaultSettings } from '#server/platform/postgres/settings.ts'
import { deriveSecrets } from '#server/platform/secrets.ts'
import { createDebianCluster, findDebianPostgres, startDebianPostgres } from '#server/testing/debian-postgres.ts'
import type { Figure } from './figures.ts'
import { fillStore } from './fill-store.ts'
import { findMedian } from './median.ts'

const DEFAULT_TERMINALS = 1_000
const ROUNDS = 3
const JOBS = 2

const run = async (program: string, args: string[]) => {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${program} ended with ${code}.`)
}

const timed = async (work: () => Promise<unknown>) => {
  const beginMs = performance.now()
  await work()
  return (performance.now() - beginMs) / 1000
}

const readBytes = async (path: string) => {
  const { size } = await stat(path)
  const names = await readdir(path).catch(() => [])
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(path, name))).size))
  return names.length === 0 ? size : sizes.reduce((sum, each) => sum + each, 0)
}

const count = async (superuser: pg.ClientConfig) => {
  const client = new pg.Client(superuser)
  await client.connect()
  const tables = ['samples', 'tier_2min', 'tier_15min', 'tier_1h', 'tier_2h', 'daily_usage', 'terminals']
  const { rows } = await client.query<{ rows: string }>(
    `select ${tables.map((name) => `(select count(*) from ${name})`).join(' + ')} as rows`,
  )
  await client.end()
  return Number(rows[0]?.rows)
}

const measure = async (folder: string, { host, bin }: { host: string; bin: string }, terminals: number) => {
  const admin = { host, user: 'postgres', database: 'postgres' }
  const source = await prepareCluster(host, 'postgres')
  await migrate(source.owner, embeddedRuntimeRole)
  await fillStore(
    { ...source, superuser: { ...admin, database: 'dishboard' } },
    (text) => console.log(`  ${text}`),
    terminals,
  )
  const rows = await count({ ...admin, database: 'dishboard' })
  const [file, dump] = [join(folder, 'backup.dishboard'), join(folder, 'dump')]
  const secrets = deriveSecrets('bench')
  const connection = ['-h', host, '-U', 'postgres']
  const inAdmin = async (...statements: string[]) => {
    const client = new pg.Client(admin)
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  const inTarget = async (work: () => Promise<unknown>) => {
    await inAdmin('create database target owner dishboard_owner template template0', 'checkpoint')
    const seconds = await timed(work)
    if ((await count({ ...admin, database: 'target' })) !== rows) throw new Error('A restore has other rows.')
    await inAdmin('drop database target with (force)')
    return seconds
  }
  const owner = { ...source.owner, database: 'target' }
  const contestants = {
    backup: async () => {
      await rm(file, { force: true })
      const options = { secrets, version: '0', now: () => new Date(), jobs: JOBS }
      return timed(() => writeBackup(file, { owner: source.owner, ...options }))
    },
    dump: async () => {
      await rm(dump, { recursive: true, force: true })
      const args = ['-Fd', `-j${JOBS}`, '-f', dump, ...connection, 'dishboard']
      return timed(() => run(join(bin, 'pg_dump'), args))
    },
    restore: () =>
      inTarget(() => restoreBackup(file, { owner, runtimeRole: embeddedRuntimeRole, secrets, jobs: JOBS })),
    pgRestore: () => inTarget(() => run(join(bin, 'pg_restore'), [`-j${JOBS}`, ...connection, '-d', 'target', dump])),
  }
  const seconds = { backup: [], dump: [], restore: [], pgRestore: [] } as Record<keyof typeof contestants, number[]>
  for (let round = 0; round < ROUNDS; round++)
    for (const name of ['backup', 'dump', 'restore', 'pgRestore'] as const) {
      const taken = await contestants[name]()
      seconds[name].push(taken)
      console.log(`  round ${round + 1}, ${name}: ${Math.round(taken)} s`)
    }
  const [fileBytes, dumpBytes] = [await readBytes(file), await readBytes(dump)]
  return { rows, fileBytes, dumpBytes, seconds }
}

/**
 * Both commands against Debian's `pg_dump -Fd` and `pg_restore`, alternating, on the same rows and the same server.
 */
export const measureBackup = async ([terminals = DEFAULT_TERMINALS]: readonly number[]): Promise<Figure[]> => {
  const debian = findDebianPostgres()
  if (!debian) throw new Error('Install postgresql of Debian: the bundled PostgreSQL has no pg_dump.')
  const folder = await mkdtemp(join(tmpdir(), 'dishboard-bench-'))
  // The server's user must be able to traverse it.
  await chmod(folder, 0o755)
  const place = join(folder, 'postgres')
  createDebianCluster(debian, place)
  const postgres = await startDebianPostgres(debian, place, defaultSettings())
  try {
    const { rows, fileBytes, dumpBytes, seconds } = await measure(
      folder,
      { host: postgres.host, bin: debian.bin },
      terminals,
    )
    const compare = (name: string, ours: number[], theirs: number[]): Figure[] => [
      { name, value: findMedian(ours), unit: 's' },
      {
        name: `${name}, of the time of Debian’s tool`,
        value: findMedian(ours) / findMedian(theirs),
        unit: '×',
        atMost: 1,
      },
    ]
    return [
      { name: 'rows', value: rows, unit: 'rows' },
      ...compare('backup', seconds.backup, seconds.dump),
      ...compare('restore', seconds.restore, seconds.pgRestore),
      { name: 'size of the file, of that of pg_dump', value: fileBytes / dumpBytes, unit: '×' },
    ]
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
