const CPU_SECONDS = /^process_cpu_seconds_total (\S+)/m
const CALIBRATION = 20

/** The processor time of a server process, by its own count (process.cpuUsage), which /metrics reports. */
export const openProcessorClock = async (url: string, token: string) => {
  const read = async () => {
    const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    return Number(CPU_SECONDS.exec(await response.text())?.[1]) * 1000
  }
  for (let time = 0; time < CALIBRATION; time++) await read()
  const before = await read()
  for (let time = 0; time < CALIBRATION; time++) await read()
  const readingMs = ((await read()) - before) / (CALIBRATION + 1)

  /** The milliseconds that the server spent on some work, all its threads together. */
  return async (work: () => Promise<void>) => {
    const startMs = await read()
    await work()
    return Math.max(0, (await read()) - startMs - readingMs)
  }
}
