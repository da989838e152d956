import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { findFreePort } from '#server/testing/find-free-port.ts'
import { onCleanup } from '../cleanup.ts'
import { exactly, type Figure } from '../figure.ts'
import { msUntil } from '../multi-process/client.ts'
import type { MultiProcessStack } from '../multi-process/stack.ts'

/** Debian's user `nobody`: PgBouncer refuses to run as root. */
const NOBODY = 65_534

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

interface Mode {
  poolMode: 'session' | 'transaction'
  isTimeoutIgnored: boolean
}

const startPgBouncer = async (program: string, stack: MultiProcessStack, { poolMode, isTimeoutIgnored }: Mode) => {
  const port = await findFreePort()
  const folder = join(stack.folder, `pgbouncer-${port}`)
  mkdirSync(folder)
  const { host, user, database } = stack.runtime
  // The socket's folder is private to its owner; PgBouncer runs as another user.
  chmodSync(host, 0o711)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(join(folder, 'users.txt'), `"${user}" ""\n`)
  writeFileSync(
    file,
    [
      '[databases]',
      `${database} = host=${host} dbname=${database}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${folder}/users.txt`,
      `pool_mode = ${poolMode}`,
      ...(isTimeoutIgnored ? ['ignore_startup_parameters = statement_timeout'] : []),
    ].join('\n'),
  )
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const path of [folder, file, join(folder, 'users.txt')]) chownSync(path, NOBODY, NOBODY)
  const child = spawn(program, ['-q', file], {
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  onCleanup(async () => {
    if (child.exitCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  })
  if (Number.isNaN(await msUntil(() => isListening(port)))) throw new Error('PgBouncer did not start.')
  return `postgres://${user}@127.0.0.1:${port}/${database}`
}

/**
 * The behavior of a serve process that connects through PgBouncer: it becomes ready, or exits with a reason.
 */
export const checkPgBouncer = async (program: string, stack: MultiProcessStack): Promise<Figure[]> => {
  const start = async (mode: Mode) => {
    const name = `serve-by-pgbouncer-${mode.poolMode}${mode.isTimeoutIgnored ? '' : '-as-is'}`
    const url = await startPgBouncer(program, stack, mode)
    const child = await stack.child('serve', name, { DATABASE_URL: url })
    let outcome = 'neither ready nor gone'
    const isDecided = async () => {
      if (await child.isReady()) outcome = 'ready'
      else if (child.exits() > 0) outcome = stack.readLog(name).trim()
      return outcome !== 'neither ready nor gone'
    }
    await msUntil(isDecided)
    await child.kill()
    return outcome
  }
  const transaction = await start({ poolMode: 'transaction', isTimeoutIgnored: true })
  const session = await start({ poolMode: 'session', isTimeoutIgnored: true })
  const asIs = await start({ poolMode: 'session', isTimeoutIgnored: false })
  const describe = (outcome: string, expected: RegExp) => (expected.test(outcome) ? 'refused with the reason' : outcome)
  return [
    exactly(
      'start through PgBouncer in transaction mode',
      describe(transaction, /^DATABASE_URL leads to a pooler in transaction mode/),
      'refused with the reason',
    ),
    exactly('start through PgBouncer in session mode', session, 'ready'),
    exactly(
      'start through PgBouncer that refuses statement_timeout',
      describe(asIs, /ignore_startup_parameters = statement_timeout/),
      'refused with the reason',
    ),
  ]
}
