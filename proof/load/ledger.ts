/** Longer than users should ever wait, on any machine. */
const SLOW_MS = 1_000

/** Response times and errors. */
export const createLedger = () => {
  const tookMs = { read: [] as number[], write: [] as number[] }
  const byCall = new Map<string, number[]>()
  const errors = new Map<string, number>()
  let slow = 0
  return {
    note: (kind: 'read' | 'write', call: string, ms: number) => {
      tookMs[kind].push(ms)
      if (ms > SLOW_MS) slow++
      const times = byCall.get(call)
      if (times) times.push(ms)
      else byCall.set(call, [ms])
    },
    recordError: (what: string) => errors.set(what, (errors.get(what) ?? 0) + 1),
    tookMs,
    byCall,
    errors,
    responseCount: () => tookMs.read.length + tookMs.write.length,
    slowCount: () => slow,
    errorCount: () => [...errors.values()].reduce((sum, count) => sum + count, 0),
  }
}

export type Ledger = ReturnType<typeof createLedger>
