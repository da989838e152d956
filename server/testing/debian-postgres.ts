import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

const FOLDER = '/usr/lib/postgresql'
const PROGRAMS = ['postgres', 'initdb', 'pg_dump', 'pg_restore']

export interface DebianPostgres {
  version: string
  bin: string
}

/** Debian's newest PostgreSQL with the client programs that the bundled one lacks, or undefined. */
export const findDebianPostgres = (): DebianPostgres | undefined => {
  if (!existsSync(FOLDER)) return undefined
  const versions = readdirSync(FOLDER).sort((a, b) => Number(b) - Number(a))
  const getBin = (version: string) => join(FOLDER, version, 'bin')
  const isComplete = (version: string) => PROGRAMS.every((name) => existsSync(join(getBin(version), name)))
  const version = versions.find(isComplete)
  return version === undefined ? undefined : { version, bin: getBin(version) }
}

/** PostgreSQL refuses to run as root, so root runs it as Debian's postgres user. */
export const findPostgresUser = () => {
  if (process.getuid?.() !== 0) return {}
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith('postgres:'))
  const [, , uid, gid] = (line ?? '').split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

const isReady = async (connection: pg.ClientConfig) => {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** A folder that the server's user may write to. */
export const makeFolder = (path: string) => {
  mkdirSync(path, { recursive: true })
  const { uid, gid } = findPostgresUser()
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
  return path
}

/** Starts the server of an existing cluster, and waits until it accepts connections. */
export const startDebianPostgres = async (
  { bin }: DebianPostgres,
  folder: string,
  settings: Record<string, string>,
) => {
  const cluster = join(folder, 'cluster')
  const host = makeFolder(join(folder, 'socket'))
  const given = Object.entries({ listen_addresses: '', unix_socket_directories: host, ...settings })
  const child = spawn(
    join(bin, 'postgres'),
    ['-D', cluster, ...given.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...findPostgresUser(),
      cwd: folder,
      stdio: 'ignore',
    },
  )
  const gone = once(child, 'exit')
  const admin = { host, user: 'postgres', database: 'postgres' }
  while (!(await isReady(admin))) {
    if (child.exitCode !== null) throw new Error('PostgreSQL of Debian did not start.')
    await pause(50)
  }
  return {
    host,
    admin,
    stop: async () => {
      child.kill('SIGINT')
      await gone
    },
  }
}

/** An empty cluster in a new folder. */
export const createDebianCluster = ({ bin }: DebianPostgres, folder: string) => {
  makeFolder(folder)
  const locale = ['--encoding=UTF8', '--locale=C.UTF-8']
  execFileSync(join(bin, 'initdb'), ['-D', join(folder, 'cluster'), '-U', 'postgres', '-A', 'trust', ...locale], {
    ...findPostgresUser(),
    cwd: folder,
    stdio: 'ignore',
  })
}
