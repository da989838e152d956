import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect, type RawBuilder } from 'kysely'
import type { ReadStatement } from './database.ts'

/** Only compiles. */
const compiler = new Kysely({
  dialect: new PostgresDialect({ pool: () => Promise.reject(new Error('This compiles statements and runs none.')) }),
})

/**
 * Names a statement after its text, so that each text is planned once per connection. What varies without bound has to be a
 * parameter: the database retains the plan of every text.
 */
export const toReadStatement = (query: RawBuilder<unknown>): ReadStatement => {
  const { sql: text, parameters } = query.compile(compiler)
  return { name: createHash('sha1').update(text).digest('base64url'), text, values: [...parameters] }
}
