import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTwoFeeds, secrets, type TwoFeeds } from '../telemetry/testing/two-feeds.ts'
import { connectVendor } from './credentials.ts'
import { removeUnlistedLines, removeUnlistedRouters, removeUnlistedTerminals } from './remove-unlisted.ts'

let feeds: TwoFeeds
beforeAll(async () => {
  feeds = await createTwoFeeds()
})
afterAll(() => feeds.close())

test('the inventory of a second vendor account removes no line, terminal or router of the first', async () => {
  const tenantId = 'alpha'
  await feeds.database.transaction({ tenantId }, async (db) => {
    const credentialId = await connectVendor(db, secrets, {
      tenantId,
      baseUrl: 'http://127.0.0.1:9/',
      tokenUrl: 'http://127.0.0.1:9/token',
      clientId: 'second',
      clientSecret: 'secret',
    })
    await removeUnlistedLines(db, { tenantId, credentialId }, new Set())
    await removeUnlistedTerminals(db, { tenantId, credentialId }, new Set())
    await removeUnlistedRouters(db, { tenantId, credentialId }, new Set())
  })
  expect(await feeds.rows(tenantId, 'select id from service_lines where removed_at is not null')).toEqual([])
  expect(await feeds.rows(tenantId, 'select device_id from terminals where removed_at is not null')).toEqual([])
  expect(await feeds.rows(tenantId, 'select router_id from routers where removed_at is not null')).toEqual([])
})
