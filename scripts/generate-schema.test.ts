import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#server/testing/database.ts'
import { generateSchema, SCHEMA_FILE } from './generate-schema.mjs'

test('server/platform/database/schema.ts is what the migrations make; npm run schema writes it anew', async () => {
  const db = await createTestDatabase()
  const { user, host, database } = db.owner
  try {
    const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host as string)}`
    expect(generateSchema(url)).toBe(readFileSync(SCHEMA_FILE, 'utf8'))
  } finally {
    await db.close()
  }
})
