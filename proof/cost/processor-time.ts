import { setTimeout as pause } from 'node:timers/promises'

const CPU_SECONDS = /^process_cpu_seconds_total (\S+)/m
const CALIBRATION = 20
const IDLE_MS = 2_000

/** The CPU time of a server process, as counted by itself (process.cpuUsage) and reported by /metrics. */
export const openProcessorClock = async (url: string, token: string) => {
  const read = async () => {
    const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    return { cpuMs: Number(CPU_SECONDS.exec(await response.text())?.[1]) * 1000, atMs: performance.now() }
  }
  for (let time = 0; time < CALIBRATION; time++) await read()
  const before = await read()
  for (let time = 0; time < CALIBRATION; time++) await read()
  const readingMs = ((await read()).cpuMs - before.cpuMs) / (CALIBRATION + 1)

  // Timers and garbage collection cost something without any request, more so on a busy machine.
  const idleFrom = await read()
  await pause(IDLE_MS)
  const idleTo = await read()
  const idleShare = Math.max(0, (idleTo.cpuMs - idleFrom.cpuMs - readingMs) / (idleTo.atMs - idleFrom.atMs))

  return {
    readingMs,
    idleShare,
    /** The milliseconds of CPU time that the server spent on some work, over all threads. */
    measureMs: async (work: () => Promise<void>) => {
      const from = await read()
      await work()
      const to = await read()
      return Math.max(0, to.cpuMs - from.cpuMs - readingMs - idleShare * (to.atMs - from.atMs))
    },
  }
}
