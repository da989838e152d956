import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartupError } from '../startup-error.ts'
import { type Binaries, locateBinaries } from './binaries.ts'
import { relocate } from './relocate.ts'
import { chooseUid, isRoot, probeVersion, type RunAs } from './run-as.ts'

/** Where the cluster is, which binaries run it, and as which user. */
export type Layout = { clusterDir: string; binaries: Binaries; runAs: RunAs; version: string }

const getClusterDir = (dataDir: string) => {
  const cluster = join(dataDir, 'cluster')
  if (!lstatSync(cluster, { throwIfNoEntry: false })?.isSymbolicLink()) return cluster
  if (!existsSync(cluster)) {
    throw new StartupError(
      `${cluster} points at a folder that is gone. Bring that folder back, or remove the link to begin with an empty database.`,
    )
  }
  return realpathSync(cluster)
}

const findOwner = (clusterDir: string) => statSync(clusterDir, { throwIfNoEntry: false })

const getVersion = (runAs: RunAs, binaries: Binaries) => {
  const { version, complaint } = probeVersion(runAs, binaries, '/')
  if (version) return version
  throw new StartupError(
    `${binaries.postgres} cannot be run on this machine (${complaint.split('\n')[0]}). It needs a Linux with glibc; else set DATABASE_URL to a PostgreSQL of your own.`,
  )
}

const placeOfOrdinaryUser = (dataDir: string, binaries: Binaries): Layout => {
  const clusterDir = getClusterDir(dataDir)
  const [uid, gid] = [process.getuid?.() ?? -1, process.getgid?.() ?? -1]
  const owner = findOwner(clusterDir)
  if (owner && owner.uid !== uid) {
    throw new StartupError(
      `The database in ${clusterDir} belongs to user id ${owner.uid}, and this is user id ${uid}. Start as the user who made it, give it away with chown -R, or set DATA_DIR to another folder.`,
    )
  }
  const runAs: RunAs = { kind: 'direct', uid, gid }
  return { clusterDir, binaries, runAs, version: getVersion(runAs, binaries) }
}

const placeOfRoot = (dataDir: string, binaries: Binaries): Layout => {
  const version = getVersion({ kind: 'direct', uid: 0, gid: 0 }, binaries)
  const clusterDir = getClusterDir(dataDir)
  const home = dirname(clusterDir)
  // A cluster created by an ordinary user stays theirs, so that they can start it again without root.
  const owner = findOwner(clusterDir)
  const own = chooseUid(dataDir)
  const setuid: RunAs = owner?.uid
    ? { kind: 'setuid', uid: owner.uid, gid: owner.gid }
    : { kind: 'setuid', uid: own, gid: own }
  const namespace: RunAs = { kind: 'namespace', uid: 0, gid: 0 }
  const candidates = [
    { binaries, runAs: setuid },
    { binaries: locateBinaries(join(home, 'binaries')), runAs: setuid },
    { binaries, runAs: namespace },
  ]
  const works = candidates.find((each) => probeVersion(each.runAs, each.binaries, home).version === version)
  if (works) return { clusterDir, ...works, version }
  return { ...relocate(dataDir, clusterDir, binaries, setuid), runAs: setuid, version }
}

export const chooseLayout = (dataDir: string, binaries: Binaries): Layout =>
  isRoot() ? placeOfRoot(dataDir, binaries) : placeOfOrdinaryUser(dataDir, binaries)
