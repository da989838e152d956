import { setTimeout as pause } from 'node:timers/promises'

const CPU_SECONDS = /^process_cpu_seconds_total (\S+)/m
const CALIBRATION = 20
const IDLE_MS = 2_000

/** The processor time of a server process, by its own count (process.cpuUsage), which /metrics reports. */
export const openProcessorClock = async (url: string, token: string) => {
  const read = async () => {
    const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    return { cpuMs: Number(CPU_SECONDS.exec(await response.text())?.[1]) * 1000, atMs: performance.now() }
  }
  for (let time = 0; time < CALIBRATION; time++) await read()
  const before = await read()
  for (let time = 0; time < CALIBRATION; time++) await read()
  const readingMs = ((await read()).cpuMs - before.cpuMs) / (CALIBRATION + 1)

  // Timers and the collection of garbage cost something without any request, and the more the longer a busy machine takes.
  const idleFrom = await read()
  await pause(IDLE_MS)
  const idleTo = await read()
  const idleShare = Math.max(0, (idleTo.cpuMs - idleFrom.cpuMs - readingMs) / (idleTo.atMs - idleFrom.atMs))

  return {
    readingMs,
    idleShare,
    /** The milliseconds that the server spent on some work, all its threads together. */
    measureMs: async (work: () => Promise<void>) => {
      const from = await read()
      await work()
      const to = await read()
      return Math.max(0, to.cpuMs - from.cpuMs - readingMs - idleShare * (to.atMs - from.atMs))
    },
  }
}
