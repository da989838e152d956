import { createHash } from 'node:crypto'
import { periodsMin } from '#contract/period.ts'
import { listTables } from '#server/backup/catalogue.ts'
import { connect } from '#server/backup/connect.ts'
import type { TestDatabase } from '#server/testing/database.ts'
import { lines, type SeededServer } from './seed.ts'

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/** Every response that reads samples and tiers: each period of each terminal, and its file, for each caller. */
export const readResponses = async (server: SeededServer) => {
  const responses = new Map<string, string>()
  for (const caller of server.callers)
    for (const { name } of lines)
      for (const period of periodsMin) {
        const detail = await server.as(caller, 'POST', `/api/terminals/${name}/${period}/`)
        const file = await server.as(caller, 'POST', '/api/download-terminal-performance/', { kitnumber: name, period })
        for (const [kind, { status, body }] of Object.entries({ page: detail, file }))
          responses.set(`${kind} of ${name}, ${period} min, as ${caller}`, `${status} ${JSON.stringify(body)}`)
      }
  return responses
}

export const findDifferences = (ones: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>) =>
  [...new Set([...ones.keys(), ...others.keys()])].filter((name) => ones.get(name) !== others.get(name))

/** A digest of the rows of each table in a backup. */
export const digestTables = async ({ superuser }: TestDatabase) => {
  const client = await connect(superuser)
  try {
    const digests = new Map<string, string>()
    for (const { name, columns } of await listTables(client)) {
      const { rows } = await client.query({
        text: `select ${columns.map((each) => `"${each}"::text`).join(', ')} from ${name}`,
        rowMode: 'array',
      })
      const sorted = rows.map((row) => JSON.stringify(row)).sort()
      digests.set(name, `${rows.length} rows ${digest(sorted.join('\n'))}`)
    }
    return digests
  } finally {
    await client.end()
  }
}
