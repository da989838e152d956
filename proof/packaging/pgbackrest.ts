import { execFileSync } from 'node:child_process'
import { chownSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { compareRows, readTables } from '#server/backup/testing/rows.ts'
import { addTwoTenants } from '#server/backup/testing/two-tenants.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { prepareCluster } from '#server/platform/database/roles.ts'
import {
  createDebianCluster,
  type DebianPostgres,
  findPostgresUser,
  makeFolder,
  startDebianPostgres,
} from '#server/testing/debian-postgres.ts'
import { onCleanup } from '../cleanup.ts'
import { exactly, type Figure } from '../figure.ts'
import { fillIn } from '../tools/find-tool.ts'

const example = new URL('../../deploy/pgbackrest/pgbackrest.conf', import.meta.url)

const query = async (superuser: pg.ClientConfig, statement: string) => {
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** The example with paths of this proof, and the commands of docs/operating.md with it. */
const configure = (program: string, folder: string) => {
  const [repository, spool, logs] = ['repository', 'spool', 'logs'].map((name) => makeFolder(join(folder, name)))
  const file = join(folder, 'pgbackrest.conf')
  writeFileSync(
    file,
    fillIn(readFileSync(example, 'utf8'), [
      ['repo1-path=/var/lib/pgbackrest', `repo1-path=${repository}\nlog-path=${logs}\nlock-path=${logs}`],
      ['CHANGE-ME', 'only-for-this-proof'],
      ['/var/spool/pgbackrest', spool as string],
      ['pg1-path=/var/lib/postgresql/15/main', `pg1-path=${folder}/cluster\npg1-socket-path=${folder}/socket`],
    ]),
    { mode: 0o600 },
  )
  const { uid, gid } = findPostgresUser()
  if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid)
  const command = [`--config=${file}`, '--stanza=dishboard']
  return {
    archiveCommand: `${program} ${command.join(' ')} archive-push %p`,
    run: (...args: string[]) =>
      execFileSync(program, [...command, ...args], { ...findPostgresUser(), cwd: folder, stdio: 'pipe' }),
  }
}

const waitUntilPromoted = async (superuser: pg.ClientConfig) => {
  while ((await query(superuser, 'select pg_is_in_recovery() as waits'))[0].waits) await pause(100)
}

/** The recipe of docs/operating.md: archive, back up, lose rows, and restore to the time before. */
export const checkPgBackRest = async (program: string, debian: DebianPostgres, folder: string): Promise<Figure[]> => {
  createDebianCluster(debian, folder)
  const { archiveCommand, run } = configure(program, folder)
  const settings = { archive_mode: 'on', archive_command: archiveCommand, archive_timeout: '60' }
  const start = async () => {
    const server = await startDebianPostgres(debian, folder, settings)
    const forget = onCleanup(server.stop)
    return { ...server, stop: () => server.stop().then(forget) }
  }
  const before = await start()
  const { owner, runtime } = await prepareCluster(before.host, 'postgres')
  const superuser = { ...owner, user: 'postgres' }
  await migrate(owner, runtime.user)
  run('stanza-create')
  run('check')
  run('--type=full', 'backup')
  await addTwoTenants(superuser)
  run('--type=incr', 'backup')
  await query(superuser, "insert into tenants (id) values ('after-the-backup')")
  const expected = await readTables(superuser)
  const [{ moment }] = await query(superuser, 'select clock_timestamp()::text as moment')
  await query(superuser, 'truncate tickets cascade')
  await query(superuser, "insert into tenants (id) values ('after-the-loss')")
  await query(superuser, 'select pg_switch_wal()')
  await before.stop()
  run('--delta', '--type=time', `--target=${moment}`, '--target-action=promote', 'restore')
  const after = await start()
  await waitUntilPromoted(superuser)
  const { missing, added } = compareRows(expected, await readTables(superuser))
  await after.stop()
  return [
    exactly('pgBackRest: rows of the moment before a loss that are missing after going back', missing, 0),
    exactly('pgBackRest: rows that came after that moment', added, 0),
  ]
}
