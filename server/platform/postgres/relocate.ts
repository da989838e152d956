import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartupError } from '../startup-error.ts'
import { type Binaries, locateBinaries } from './binaries.ts'
import { probeVersion, type RunAs } from './run-as.ts'

const makeHome = () => {
  for (const base of ['/var/lib', '/opt', '/srv', '/var/tmp']) {
    try {
      const home = mkdtempSync(join(base, 'dishboard-'))
      chmodSync(home, 0o711)
      return home
    } catch {}
  }
  return undefined
}

const copyBinaries = (from: Binaries, home: string) => {
  const copy = locateBinaries(join(home, 'binaries'))
  rmSync(copy.home, { recursive: true, force: true })
  const umask = process.umask(0o022)
  cpSync(from.home, copy.home, { recursive: true, verbatimSymlinks: true })
  process.umask(umask)
  return copy
}

const copyCluster = (from: string, home: string) => {
  const cluster = join(home, 'cluster')
  mkdirSync(cluster, { mode: 0o700 })
  if (existsSync(from)) cpSync(from, cluster, { recursive: true, verbatimSymlinks: true })
  return cluster
}

/**
 * The last resort for root, if no other user can enter the folder of the clone and the kernel allows no user namespace:
 * moves binaries and cluster to a folder that an ordinary user can enter, and links the data folder to it.
 */
export const relocate = (dataDir: string, clusterDir: string, binaries: Binaries, runAs: RunAs) => {
  const link = join(dataDir, 'cluster')
  const alreadyOut = clusterDir !== link
  const home = alreadyOut ? dirname(clusterDir) : makeHome()
  const copy = home && copyBinaries(binaries, home)
  if (!copy || !probeVersion(runAs, copy, home).version) {
    if (home && !alreadyOut) rmSync(home, { recursive: true, force: true })
    throw new StartupError(
      'PostgreSQL refuses to run as root, and here root can neither become another user nor open a user namespace. Start as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.',
    )
  }
  if (alreadyOut) return { clusterDir, binaries: copy }
  const moved = copyCluster(clusterDir, home)
  if (existsSync(clusterDir)) renameSync(clusterDir, `${clusterDir}.moved`)
  symlinkSync(moved, link)
  rmSync(`${clusterDir}.moved`, { recursive: true, force: true })
  return { clusterDir: moved, binaries: copy }
}
