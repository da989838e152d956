import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { watchFreeSpace } from '../platform/postgres/free-space.ts'
import { createWake } from '../platform/worker/pause.ts'

/** The owner of a response's telemetry. */
export interface SpoolOwner {
  tenantId: string
  credentialId: number
}

/** A vendor response that is on this machine's disk. */
export interface SpooledResponse extends SpoolOwner {
  id: string
  receivedAt: Date
  path: string
  bytes: number
}

/** A response that is being received. */
export interface Receiving {
  id: string
  receivedAt: Date
  /** Once it returns, killing this process cannot lose the chunk. Does not throw; `finish` reports the failure. */
  write: (chunk: Uint8Array) => void
  /** Resolves once the whole response survives a power failure. */
  finish: () => Promise<SpooledResponse>
  discard: () => void
}

export type Spool = Awaited<ReturnType<typeof openSpool>>

interface Options {
  folder: string
  /** Telemetry is not requested while the files have this total size. */
  maxBytes: number
  log: FastifyBaseLogger
}

const COMPLETE = '.json'
const PARTIAL = '.part'
const CUT_OFF = '.cut'
const FILE = /^(\d+)-([0-9a-f-]{36})(\.json|\.part)$/
// Longer than any vendor request can take: a file this old has no writer.
const ABANDONED_AFTER_MS = 5 * 60_000
const LONGEST_WAIT_MS = 30_000

const syncFolder = async (path: string) => {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

const TENANT_FOLDER = /^[a-z0-9][a-z0-9_-]*$/
const CREDENTIAL_FOLDER = /^\d+$/

/** The folders with our names. Others may be in the same place, such as lost+found, and files of whoever looked around. */
const listFolders = async (path: string, names: RegExp) =>
  (await readdir(path, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && names.test(entry.name))
    .map(({ name }) => name)

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

const isWholeJson = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * The vendor responses that the database does not have yet: one folder per credential, one file per response. The vendor
 * sends each response once, so it is written here as it arrives, before anything else can fail. Processes on one machine
 * may share the folder.
 */
export const openSpool = async ({ folder, maxBytes, log }: Options) => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const isDiskShort = watchFreeSpace(folder)
  /** The responses left to `drain`, by path. */
  const waiting = new Map<string, SpooledResponse>()
  /** Files that a poller of this process is writing or storing itself. */
  const held = new Map<string, number>()
  const changed = new Set<ReturnType<typeof createWake>>()
  const drainWake = createWake()
  const unreadable = new Set<string>()
  let isFull = false
  let failures = 0

  const getFolder = ({ tenantId, credentialId }: SpoolOwner) => join(folder, tenantId, String(credentialId))
  const notify = () => {
    for (const wake of changed) wake.wake()
  }
  const countBytes = () =>
    [...waiting.values()].reduce((sum, { bytes }) => sum + bytes, 0) +
    [...held.values()].reduce((sum, bytes) => sum + bytes, 0)

  const hasRoom = () => {
    const isFullNow = countBytes() >= maxBytes || isDiskShort()
    if (isFullNow && !isFull)
      log.error(
        { bytes: countBytes(), maxBytes, folder },
        'The telemetry spool is full. No telemetry is requested until the database has stored what is in it; the vendor retains 8 hours.',
      )
    if (!isFullNow && isFull) log.info({ bytes: countBytes() }, 'The telemetry spool has room again.')
    isFull = isFullNow
    return !isFull
  }

  const receive = (
    { tenantId, credentialId }: SpoolOwner,
    { receivedAt, id = randomUUID() }: { receivedAt: Date; id?: string | undefined },
  ): Receiving => {
    const owner = { tenantId, credentialId }
    const base = join(getFolder(owner), `${String(receivedAt.getTime()).padStart(15, '0')}-${id}`)
    let bytes = 0
    let file: number | undefined
    let fault: unknown
    const attempt = (work: () => void) => {
      try {
        if (fault === undefined) work()
      } catch (error) {
        fault = error
      }
    }
    const close = () => {
      if (file !== undefined) closeSync(file)
      file = undefined
    }
    const discard = () => {
      close()
      held.delete(base + PARTIAL)
      rmSync(base + PARTIAL, { force: true })
    }
    attempt(() => {
      mkdirSync(dirname(base), { recursive: true, mode: 0o700 })
      file = openSync(base + PARTIAL, 'wx', 0o600)
      held.set(base + PARTIAL, 0)
    })
    return {
      id,
      receivedAt,
      write: (chunk) =>
        attempt(() => {
          for (let at = 0; at < chunk.byteLength; ) at += writeSync(file as number, chunk, at)
          bytes += chunk.byteLength
          held.set(base + PARTIAL, bytes)
        }),
      finish: async () => {
        const path = base + COMPLETE
        try {
          if (fault !== undefined) throw fault
          close()
          const written = await open(base + PARTIAL, 'r')
          await written.datasync().finally(() => written.close())
          held.set(path, bytes)
          await rename(base + PARTIAL, path)
          held.delete(base + PARTIAL)
          await syncFolder(dirname(base))
        } catch (error) {
          failures++
          held.delete(path)
          discard()
          throw error
        }
        return { ...owner, id, receivedAt, path, bytes }
      },
      discard,
    }
  }

  /** Adopts a file that a killed process left. It is complete if only the last step is missing. */
  const adopt = async (owner: SpoolOwner, path: string): Promise<string | undefined> => {
    const text = await readFile(path, 'utf8')
    if (isWholeJson(text)) {
      const complete = path.slice(0, -PARTIAL.length) + COMPLETE
      await rename(path, complete)
      return complete
    }
    if (Date.now() - (await stat(path)).mtimeMs < ABANDONED_AFTER_MS) return undefined
    log.error({ ...owner, path }, 'A telemetry response was cut off while it arrived. Its rows are lost.')
    await rename(path, path.slice(0, -PARTIAL.length) + CUT_OFF)
    return undefined
  }

  /** One file that cannot be read must not keep the others from being stored. */
  const reportUnreadable = (path: string, error: unknown) => {
    if (!unreadable.has(path))
      log.error({ path, err: error }, 'Spooled telemetry cannot be read. It stays where it is; the rest is stored.')
    unreadable.add(path)
  }

  const inspect = async (owner: SpoolOwner, name: string): Promise<SpooledResponse | undefined> => {
    const match = FILE.exec(name)
    const found = join(getFolder(owner), name)
    if (!match || held.has(found)) return undefined
    const known = waiting.get(found)
    if (known) return known
    try {
      const path = match[3] === PARTIAL ? await adopt(owner, found) : found
      if (path === undefined) return undefined
      const file = await stat(path)
      if (!file.isFile()) throw new Error('It is not a file.')
      const { size: bytes } = file
      return { ...owner, id: match[2] as string, receivedAt: new Date(Number(match[1])), path, bytes }
    } catch (error) {
      // Another process that shares the folder has stored it.
      if (!isMissing(error)) reportUnreadable(found, error)
      return undefined
    }
  }

  const listNames = (path: string) =>
    readdir(path).catch((error: unknown) => {
      reportUnreadable(path, error)
      return []
    })

  /** Lists the responses to be stored in arrival order, including those left by killed processes. */
  const refresh = async (): Promise<SpooledResponse[]> => {
    const found: SpooledResponse[] = []
    for (const tenantId of await listFolders(folder, TENANT_FOLDER))
      for (const credential of await listFolders(join(folder, tenantId), CREDENTIAL_FOLDER)) {
        const owner = { tenantId, credentialId: Number(credential) }
        for (const name of await listNames(getFolder(owner))) {
          const response = await inspect(owner, name)
          if (response) found.push(response)
        }
      }
    waiting.clear()
    for (const response of found.sort((one, other) => one.receivedAt.getTime() - other.receivedAt.getTime()))
      if (!held.has(response.path)) waiting.set(response.path, response)
    notify()
    return [...waiting.values()]
  }

  await refresh()
  return {
    receive,
    refresh,
    drainWake,
    read: ({ path }: SpooledResponse) => readFile(path),
    /** Call it once the database has the response. The file may reappear after a power failure; storing it again does nothing. */
    remove: async ({ path }: SpooledResponse) => {
      await rm(path, { force: true })
      held.delete(path)
      waiting.delete(path)
      notify()
    },
    /** Leaves a response that could not be stored to `drain`. */
    leaveToDrain: (response: SpooledResponse) => {
      waiting.set(response.path, response)
      held.delete(response.path)
      drainWake.wake()
    },
    /** Waits until this credential has nothing left to store, which preserves order, and there is room for another response. */
    untilReady: async ({ tenantId, credentialId }: SpoolOwner, stop: AbortSignal) => {
      const isBehind = () =>
        waiting.values().some((each) => each.tenantId === tenantId && each.credentialId === credentialId)
      const wake = createWake()
      changed.add(wake)
      while (!stop.aborted && (isBehind() || !hasRoom())) await wake.wait(LONGEST_WAIT_MS, stop)
      changed.delete(wake)
    },
    getState: () => {
      const oldest = waiting.values().next().value
      return { bytes: countBytes(), maxBytes, files: waiting.size + held.size, oldestAt: oldest?.receivedAt, failures }
    },
  }
}
