import { readFileSync } from 'node:fs'

/** Time of all cores since the machine started, in ticks. */
export interface CoreTimes {
  used: number
  idle: number
  disk: number
  /** Steal time: requested, but given to other machines on the same hardware. */
  stolen: number
}

/** Parses the first line of Linux's /proc/stat. */
export const parseCoreTimes = (text: string): CoreTimes => {
  const [, user = 0, nice = 0, system = 0, idle = 0, disk = 0, irq = 0, softIrq = 0, stolen = 0] = text
    .slice(0, text.indexOf('\n'))
    .split(/\s+/)
    .map(Number)
  return { used: user + nice + system + irq + softIrq, idle, disk, stolen }
}

/** Undefined if the system does not report it. */
const readCoreTimes = () => {
  try {
    return parseCoreTimes(readFileSync('/proc/stat', 'utf8'))
  } catch {
    return undefined
  }
}

export const corePercents = (from: CoreTimes, to: CoreTimes) => {
  const used = to.used - from.used
  const stolen = to.stolen - from.stolen
  const all = used + stolen + to.idle - from.idle + to.disk - from.disk
  const toPercent = (part: number, whole: number) => Math.round((100 * part) / (whole || 1))
  return {
    used: toPercent(used, all),
    waitingForDisk: toPercent(to.disk - from.disk, all),
    /** Relative to the requested time, since an idle machine has no steal time. */
    stolen: toPercent(stolen, used + stolen),
  }
}

/** Returns a function that reports what the cores did since its last call. */
export const watchCores = () => {
  let from = readCoreTimes()
  return () => {
    const to = readCoreTimes()
    const percents = from && to && corePercents(from, to)
    from = to
    return percents
  }
}
