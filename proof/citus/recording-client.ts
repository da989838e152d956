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
  if (text && /^[\s(]*(?:select|with)\b/.test(text) && /\bfrom (?:samples|tier_\w+)\b/.test(text))
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

/** How many shards each of the recorded reads goes to, by its plan. */
export const explainRecorded = async (database: Database, tenantId: string) => {
  const plans: { text: string; tasks: number; subplans: number }[] = []
  for (const { text, values } of recorded.values()) {
    const lines = await database.transaction({ tenantId }, async (_, client) => {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, values)
      return rows.map((row) => row['QUERY PLAN'])
    })
    const [, tasks] = /Task Count: (\d+)/.exec(lines.join('\n')) ?? []
    plans.push({ text, tasks: Number(tasks), subplans: lines.filter((line) => /Subplan/.test(line)).length })
  }
  return plans
}
