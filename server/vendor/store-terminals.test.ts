import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTwoFeeds, secrets, type TwoFeeds } from '../telemetry/testing/two-feeds.ts'
import { connectVendor } from './credentials.ts'
import { findUnlistedLines, findUnlistedRouters, findUnlistedTerminals } from './remove-unlisted.ts'

let feeds: TwoFeeds
beforeAll(async () => {
  feeds = await createTwoFeeds()
})
afterAll(() => feeds.close())

test('what the first vendor account has stored is not unlisted by the second', async () => {
  const tenantId = 'alpha'
  const [first] = await feeds.rows<{ id: number }>(tenantId, 'select id from vendor_credentials')
  await feeds.database.transaction({ tenantId }, async (db) => {
    const second = await connectVendor(db, secrets, {
      tenantId,
      baseUrl: 'http://127.0.0.1:9/',
      tokenUrl: 'http://127.0.0.1:9/token',
      clientId: 'second',
      clientSecret: 'secret',
    })
    const none = new Set<string>()
    for (const find of [findUnlistedLines, findUnlistedTerminals, findUnlistedRouters]) {
      const { ids, stored } = await find(db, { tenantId, credentialId: first?.id as number }, none)
      expect(ids).toHaveLength(stored)
      expect(stored).toBeGreaterThan(0)
      expect(await find(db, { tenantId, credentialId: second }, none)).toMatchObject({ ids: [], stored: 0 })
    }
  })
})
