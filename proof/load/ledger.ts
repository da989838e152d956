/** What people waited for, and what went wrong. */
export const createLedger = () => {
  const tookMs = { read: [] as number[], write: [] as number[] }
  const byCall = new Map<string, number[]>()
  const errors = new Map<string, number>()
  return {
    note: (kind: 'read' | 'write', call: string, ms: number) => {
      tookMs[kind].push(ms)
      const ofCall = byCall.get(call)
      if (ofCall) ofCall.push(ms)
      else byCall.set(call, [ms])
    },
    noteError: (what: string) => errors.set(what, (errors.get(what) ?? 0) + 1),
    tookMs,
    byCall,
    errors,
    errorCount: () => [...errors.values()].reduce((sum, count) => sum + count, 0),
  }
}

export type Ledger = ReturnType<typeof createLedger>
