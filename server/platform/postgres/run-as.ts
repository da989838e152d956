import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lchownSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'

/** How a server process is started, and who owns its files as this process sees them. */
export type RunAs = { kind: 'direct' | 'setuid' | 'namespace'; uid: number; gid: number }

/** Replaces the environment, because PGPORT, PGDATA or LD_LIBRARY_PATH would change how the server runs. */
export const serverEnv = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

const listAccounts = () =>
  readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))

const nobody = () => listAccounts().find(({ name }) => name === 'nobody') ?? { uid: 65534, gid: 65534 }

export const isRoot = () => process.getuid?.() === 0

/**
 * PostgreSQL refuses to run as root, so root runs it under a separate user id. Not under `nobody`: other programs that run
 * as nobody could read the database, connect to it and signal it. The id is derived from the data folder, so that two
 * servers cannot access each other's files. Systems assign ids upward from 1000, so the end of the range is usually free.
 * It is below 65536 because containers may map no more ids than that.
 */
export const chooseUid = (dataDir: string) => {
  const taken = new Set(listAccounts().map(({ uid }) => uid))
  const start = createHash('sha256').update(dataDir).digest().readUInt16BE(0) % 999
  for (let step = 0; step < 999; step++) {
    const uid = 59_000 + ((start + step) % 999)
    if (!taken.has(uid)) return uid
  }
  return nobody().uid
}

/** initdb requires an account name, which a chosen id lacks. So it runs as `nobody`, and the files are chowned afterward. */
export const chooseInitdbUser = (runAs: RunAs): RunAs => {
  if (runAs.kind !== 'setuid' || listAccounts().some(({ uid }) => uid === runAs.uid)) return runAs
  const { uid, gid } = nobody()
  return { ...runAs, uid, gid }
}

export const buildCommandAs = (runAs: RunAs, program: string, args: string[]) => {
  switch (runAs.kind) {
    case 'direct':
      return { command: program, args, options: {} }
    case 'setuid':
      return { command: program, args, options: { uid: runAs.uid, gid: runAs.gid } }
    case 'namespace': {
      // The process is nobody inside the namespace and root outside, so it can pass through folders that only root may enter.
      const { uid, gid } = nobody()
      const flags = ['--user', `--map-user=${uid}`, `--map-group=${gid}`, '--', program]
      return { command: 'unshare', args: [...flags, ...args], options: {} }
    }
  }
}

/** Runs `postgres --version` in the same way as the server, in the folder that will hold its data. */
export const probeVersion = (runAs: RunAs, binaries: Binaries, dir: string) => {
  const script = 'cd -- "$1" && exec "$2" --version'
  const { command, args, options } = buildCommandAs(runAs, '/bin/sh', ['-c', script, 'sh', dir, binaries.postgres])
  const run = spawnSync(command, args, { ...options, cwd: '/', env: serverEnv, encoding: 'utf8', timeout: 10_000 })
  return {
    version: run.status === 0 ? /PostgreSQL\) ([\d.]+)/.exec(run.stdout)?.[1] : undefined,
    complaint: (run.error?.message ?? run.stderr ?? '').trim(),
  }
}

/**
 * Changes the owner of a folder and its contents to the server's user. The folder comes last, so its owner shows that all
 * is done.
 */
export const changeOwner = (runAs: RunAs, path: string) => {
  if (runAs.kind === 'direct' || lstatSync(path).uid === runAs.uid) return
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
    lchownSync(join(entry.parentPath, entry.name), runAs.uid, runAs.gid)
  }
  lchownSync(path, runAs.uid, runAs.gid)
}
