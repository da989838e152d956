import pg from 'pg'
import type { Database } from '#server/platform/database/database.ts'

interface Statement {
  text: string
  values: unknown[]
}

const recorded = new Map<string, Statement>()

const record = (statement: unknown, values: unknown) => {
  const { text, values: own } = (
    typeof statement === 'string' ? { text: statement, values } : (statement ?? {})
  ) as Partial<Statement>
  if (text && /^[\s(]*(?:select|with)\b/.test(text) && /\bfrom "?(?:samples|tier_\w+)\b/.test(text))
    recorded.set(text, { text, values: (own ?? values ?? []) as unknown[] })
}

/** A client that records the reads of samples and tiers, to inspect their plans. */
export class RecordingClient extends pg.Client {
  // The driver has a dozen overloads; the statement is the first argument of all of them.
  override query(statement: unknown, ...rest: unknown[]): never {
    record(statement, rest[0])
    return super.query(statement as never, ...(rest as [])) as never
  }
}

interface Plan {
  text: string
  reads: 'one terminal' | 'many terminals' | 'everything'
  shards: number
  /** Nothing has to be computed before or after, and no rows move between nodes. */
  isPushedDown: boolean
}

const findReach = (text: string): Plan['reads'] => {
  if (/\bterminal_id = \$\d/.test(text)) return 'one terminal'
  return /\bterminal_id = any\(/.test(text) ? 'many terminals' : 'everything'
}

/** Where each of the recorded reads goes, by its plan. */
export const explainRecorded = async (database: Database, tenantId: string) => {
  const plans: Plan[] = []
  for (const { text, values } of recorded.values()) {
    const plan = await database.transaction({ tenantId }, async (_, client) => {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, values)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    plans.push({
      text,
      reads: findReach(text),
      shards: Number(/Task Count: (\d+)/.exec(plan)?.[1]),
      // A plan of PostgreSQL on one shard may have a SubPlan of its own.
      isPushedDown: !/Distributed Subplan|MapMerge|repartition/i.test(plan),
    })
  }
  return plans
}
