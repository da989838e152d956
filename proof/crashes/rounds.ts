import { setTimeout as pause } from 'node:timers/promises'
import type { Child } from '../multi-process/child.ts'
import { type Client, msUntil } from '../multi-process/client.ts'
import type { LiveWatch } from '../multi-process/live-watch.ts'
import type { MultiProcessStack } from '../multi-process/stack.ts'
import type { OwnLine } from '../multi-process/write-kinds.ts'

const TIMEOUT_MS = 120_000

const between = (from: number, to: number) => from + Math.random() * (to - from)

/** Kills the serve process while users write; returns how long each restart took until it was ready. */
export const killServing = async (serve: Child, rounds: number) => {
  const readyMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    await pause(between(300, 1_200))
    await serve.kill()
    serve.start()
    readyMs.push(await serve.untilReady(TIMEOUT_MS))
  }
  return readyMs
}

/** Kills the worker, every third time while it holds telemetry that the vendor has just delivered. */
export const killWorking = async ({ gate }: MultiProcessStack, work: Child, rounds: number) => {
  const killsMs: number[] = []
  const takenUpMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const holdsTelemetry = round % 3 === 0
    if (holdsTelemetry) await gate.nextTelemetry(10_000)
    await pause(holdsTelemetry ? between(0, 200) : between(0, 1_500))
    const asked = gate.streamCalls().length
    await work.kill()
    killsMs.push(Date.now())
    work.start()
    takenUpMs.push(await msUntil(() => gate.streamCalls().length > asked, TIMEOUT_MS))
  }
  return { killsMs, takenUpMs }
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
    await pause(between(300, 900))
    const asked = stack.gate.streamCalls().length
    const killed = killPostgres(stack, round)
    const begin = performance.now()
    const isBack = async () => {
      const isNew = killed === undefined || (await pidOr(stack, killed)) !== killed
      return isNew && (await writeProbe(outage, `back ${round} ${Math.round(performance.now())}`))
    }
    await msUntil(isBack, TIMEOUT_MS)
    readyMs.push(performance.now() - begin)
    const mark = `change ${client.tenantId} ${round}`
    const tellBegin = performance.now()
    await msUntil(() => writeProbe(outage, mark), TIMEOUT_MS)
    await msUntil(() => live.hasReceived(mark), TIMEOUT_MS)
    liveMs.push(performance.now() - tellBegin)
    if (round === rounds - 1)
      vendorMs.push(await msUntil(() => stack.gate.streamCalls().length > asked + 1, TIMEOUT_MS))
  }
  return { readyMs, liveMs, vendorMs }
}

const pidOr = async (stack: MultiProcessStack, fallback: number) => {
  try {
    return stack.postmasterPid()
  } catch {
    return fallback
  }
}
