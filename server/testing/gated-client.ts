import pg from 'pg'

/** Where a transaction of the server can be stopped: before it begins, or right before its commit. */
export interface Stop {
  statement: 'begin' | 'commit'
  /** Counted from the first transaction after the gate was set. */
  transaction: number
}

interface SetGate extends Stop {
  reached: PromiseWithResolvers<void>
  opened: PromiseWithResolvers<void>
}

let gate: SetGate | undefined
const count = { begin: 0, commit: 0 }

/** Stops one transaction of this process; the others pass. Without `stop` it only counts. */
export const setGate = (stop?: Stop) => {
  Object.assign(count, { begin: 0, commit: 0 })
  gate = stop && { ...stop, reached: Promise.withResolvers(), opened: Promise.withResolvers() }
  const set = gate
  return {
    reached: set?.reached.promise ?? Promise.resolve(),
    open: () => {
      set?.opened.resolve()
      gate = undefined
    },
    countTransactions: () => count.begin,
  }
}

const findStatement = (statement: unknown) => {
  // Sent by queryAfter(), which begins every transaction.
  if (statement instanceof pg.Query) return 'begin'
  return statement === 'commit' ? 'commit' : undefined
}

/** A database client whose transactions can be stopped midway. */
export class GatedClient extends pg.Client {
  readonly #isGated: boolean

  constructor(config?: string | (pg.ClientConfig & { pipeline?: boolean })) {
    super(config as pg.ClientConfig)
    // The pipelined connections only authenticate, before a request does anything.
    this.#isGated = !(typeof config === 'object' && config.pipeline)
  }

  override query(statement: unknown, ...rest: unknown[]): never {
    const send = () => super.query(statement as never, ...(rest as [])) as unknown
    const kind = this.#isGated ? findStatement(statement) : undefined
    if (!kind) return send() as never
    count[kind] += 1
    const set = gate
    if (set?.statement !== kind || count[kind] !== set.transaction) return send() as never
    set.reached.resolve()
    return set.opened.promise.then(send) as never
  }
}
