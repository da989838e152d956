import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { diskFullError, StartupError } from '../startup-error.ts'
import type { Layout } from './layout.ts'
import { buildCommandAs, changeOwner, chooseInitdbUser, serverEnv } from './run-as.ts'

const findMajor = (clusterDir: string) => {
  const file = join(clusterDir, 'PG_VERSION')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

/** Returns whether there is a cluster. Throws if the folder holds something else, or a cluster of another version. */
export const checkCluster = ({ clusterDir, version }: Layout) => {
  const major = findMajor(clusterDir)
  if (major === undefined) {
    if (existsSync(clusterDir) && readdirSync(clusterDir).length > 0) {
      throw new StartupError(
        `${clusterDir} is not a PostgreSQL data folder. Move it away, or set DATA_DIR to another folder.`,
      )
    }
    return false
  }
  const served = version.split('.')[0]
  if (major !== served) {
    throw new StartupError(
      `The database in ${clusterDir} was made by PostgreSQL ${major}, and this is ${served}. Export it with the version that made it, or set DATA_DIR to a new folder.`,
    )
  }
  return true
}

const runInitdb = (place: Layout, args: string[]) =>
  new Promise<{ code: number | null; output: string }>((resolve) => {
    const { command, args: full, options } = buildCommandAs(chooseInitdbUser(place.runAs), place.binaries.initdb, args)
    const child = spawn(command, full, {
      ...options,
      cwd: dirname(place.clusterDir),
      env: serverEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    child.on('error', (error) => resolve({ code: -1, output: error.message }))
    child.on('close', (code) => resolve({ code, output }))
  })

/**
 * Creates the cluster under a temporary name and renames it when complete, so that an interrupted start leaves no partial
 * one.
 */
export const createCluster = async (place: Layout, durable: boolean) => {
  const part = `${place.clusterDir}.part`
  const { runAs } = place
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part, { mode: 0o700 })
  const maker = chooseInitdbUser(runAs)
  if (runAs.kind === 'setuid') chownSync(part, maker.uid, maker.gid)
  const { code, output } = await runInitdb(place, [
    `--pgdata=${part}`,
    '--username=postgres',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--locale=C.UTF-8',
    // Only the server's user can enter the socket folder, and there is no other way to connect.
    '--auth-local=trust',
    '--auth-host=reject',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ])
  if (code !== 0) {
    rmSync(part, { recursive: true, force: true })
    if (/No space left|Disk quota/.test(output)) throw diskFullError(dirname(place.clusterDir))
    const reason = output.split('\n').findLast((line) => /error|fatal|panic/i.test(line)) ?? output.trim()
    throw new StartupError(`The database could not be made in ${place.clusterDir}: ${reason}`)
  }
  changeOwner(runAs, part)
  renameSync(part, place.clusterDir)
}
