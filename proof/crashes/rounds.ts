import { readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Child } from '../multi-process/child.ts'
import { type Client, msUntil } from '../multi-process/client.ts'
import type { LiveWatch } from '../multi-process/live-watch.ts'
import type { MultiProcessStack } from '../multi-process/stack.ts'
import type { OwnLine } from '../multi-process/write-kinds.ts'

const randomBetween = (from: number, to: number) => from + Math.random() * (to - from)

/** Kills the serve process while users write; returns how long each restart took until it was ready. */
export const killServing = async (serve: Child, rounds: number) => {
  const readyMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    await pause(randomBetween(300, 1_200))
    await serve.kill()
    serve.start()
    readyMs.push(await serve.untilReady())
  }
  return readyMs
}

/** Resolves when a response of the vendor is on the worker's disk. */
const untilSpooled = async (folder: string) => {
  const isSpooled = Promise.withResolvers<void>()
  // Each folder separately: a recursive watch scans folders later, and may miss a file that is deleted by then.
  const watchers = readdirSync(join(folder, 'spool'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) =>
      watch(join(parentPath, name), (_event, file) => {
        if (file?.endsWith('.json')) isSpooled.resolve()
      }),
    )
  await isSpooled.promise
  for (const watcher of watchers) watcher.close()
}

/** Kills the worker, every other time while it is processing a response of the vendor. */
export const killWorking = async ({ gate, folder }: MultiProcessStack, work: Child, rounds: number) => {
  const takenUpMs: number[] = []
  let inHands = 0
  for (let round = 0; round < rounds; round++) {
    await pause(randomBetween(0, 1_500))
    await gate.closeStream()
    if (round % 2 === 0) {
      const spooled = untilSpooled(folder)
      await gate.passOne()
      await spooled
      inHands++
    }
    const callsBefore = gate.streamCalls().length
    await work.kill()
    gate.openStream()
    work.start()
    takenUpMs.push(await msUntil(() => gate.streamCalls().length > callsBefore))
  }
  return { inHands, takenUpMs }
}

interface Outage {
  stack: MultiProcessStack
  client: Client
  url: string
  line: OwnLine
  live: LiveWatch
}

const writeProbe = async ({ client, url, line }: Outage, value: string) => {
  const path = `/service-lines/${encodeURIComponent(line.nickname)}/metadata/metadata2/`
  return (await client.call(url, { method: 'PATCH', path, body: { value } }))?.status === 200
}

const kill = (pids: readonly number[]) => {
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has already ended.
    }
}

/** All processes of PostgreSQL at once, the postmaster alone, or one backend. */
const killPostgres = ({ postmasterPid, postgresPids }: MultiProcessStack, round: number) => {
  const postmaster = postmasterPid()
  if (round % 3 === 0) kill([postmaster])
  else if (round % 3 === 1) kill(postgresPids())
  else kill(postgresPids().slice(-1))
  return round % 3 === 2 ? undefined : postmaster
}

/** Kills the database while users write; returns how long it took until writes worked and pages received them. */
export const killDatabase = async (outage: Outage, rounds: number) => {
  const { stack, live, client } = outage
  const readyMs: number[] = []
  const liveMs: number[] = []
  const vendorMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    await pause(randomBetween(300, 900))
    const callsBefore = stack.gate.streamCalls().length
    const killed = killPostgres(stack, round)
    const begin = performance.now()
    const isBack = async () => {
      const isNew = killed === undefined || (await findPid(stack, killed)) !== killed
      return isNew && (await writeProbe(outage, `back ${round} ${Math.round(performance.now())}`))
    }
    await msUntil(isBack)
    readyMs.push(performance.now() - begin)
    const mark = `change ${client.tenantId} ${round}`
    const changedAtMs = performance.now()
    await msUntil(() => writeProbe(outage, mark))
    await msUntil(() => live.hasReceived(mark))
    liveMs.push(performance.now() - changedAtMs)
    if (round === rounds - 1) vendorMs.push(await msUntil(() => stack.gate.streamCalls().length > callsBefore + 1))
  }
  return { readyMs, liveMs, vendorMs }
}

const findPid = async (stack: MultiProcessStack, fallback: number) => {
  try {
    return stack.postmasterPid()
  } catch {
    return fallback
  }
}
