import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Binaries, binariesIn } from './binaries.ts'
import { moveOut } from './move-out.ts'
import { chooseUid, isRoot, type RunAs, versionAs } from './run-as.ts'
import { StartProblem } from './start-problem.ts'

/** Where the cluster lies, which binaries serve it, and as whom they run. */
export type Place = { clusterDir: string; binaries: Binaries; runAs: RunAs; version: string }

const getClusterDir = (dataDir: string) => {
  const cluster = join(dataDir, 'cluster')
  if (!lstatSync(cluster, { throwIfNoEntry: false })?.isSymbolicLink()) return cluster
  if (!existsSync(cluster)) {
    throw new StartProblem(
      `${cluster} points at a folder that is gone. Bring that folder back, or remove the link to begin with an empty database.`,
    )
  }
  return realpathSync(cluster)
}

const findOwner = (clusterDir: string) => statSync(clusterDir, { throwIfNoEntry: false })

const getVersion = (runAs: RunAs, binaries: Binaries) => {
  const { version, complaint } = versionAs(runAs, binaries, '/')
  if (version) return version
  throw new StartProblem(
    `${binaries.postgres} cannot be run on this machine (${complaint.split('\n')[0]}). It needs a Linux with glibc; else set DATABASE_URL to a PostgreSQL of your own.`,
  )
}

const placeOfOrdinaryUser = (dataDir: string, binaries: Binaries): Place => {
  const clusterDir = getClusterDir(dataDir)
  const [uid, gid] = [process.getuid?.() ?? -1, process.getgid?.() ?? -1]
  const owner = findOwner(clusterDir)
  if (owner && owner.uid !== uid) {
    throw new StartProblem(
      `The database in ${clusterDir} belongs to user id ${owner.uid}, and this is user id ${uid}. Start as the user who made it, give it away with chown -R, or set DATA_DIR to another folder.`,
    )
  }
  const runAs: RunAs = { kind: 'direct', uid, gid }
  return { clusterDir, binaries, runAs, version: getVersion(runAs, binaries) }
}

const placeOfRoot = (dataDir: string, binaries: Binaries): Place => {
  const version = getVersion({ kind: 'direct', uid: 0, gid: 0 }, binaries)
  const clusterDir = getClusterDir(dataDir)
  const home = dirname(clusterDir)
  // A cluster made by an ordinary user stays theirs, so that they can start it again without root.
  const owner = findOwner(clusterDir)
  const own = chooseUid(dataDir)
  const setuid: RunAs = owner?.uid
    ? { kind: 'setuid', uid: owner.uid, gid: owner.gid }
    : { kind: 'setuid', uid: own, gid: own }
  const namespace: RunAs = { kind: 'namespace', uid: 0, gid: 0 }
  const candidates = [
    { binaries, runAs: setuid },
    { binaries: binariesIn(join(home, 'binaries')), runAs: setuid },
    { binaries, runAs: namespace },
  ]
  const works = candidates.find((each) => versionAs(each.runAs, each.binaries, home).version === version)
  if (works) return { clusterDir, ...works, version }
  return { ...moveOut(dataDir, clusterDir, binaries, setuid), runAs: setuid, version }
}

export const choosePlace = (dataDir: string, binaries: Binaries): Place =>
  isRoot() ? placeOfRoot(dataDir, binaries) : placeOfOrdinaryUser(dataDir, binaries)
