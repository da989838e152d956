import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimDirty, markDirty } from './dirty-buckets.ts'
import { createTwoFeeds, type TwoFeeds } from './testing/two-feeds.ts'
import { type Tier, tiers } from './tiers.ts'

let feeds: TwoFeeds
beforeAll(async () => {
  feeds = await createTwoFeeds()
})
afterAll(() => feeds.close())

test('a bucket of a day whose partition is not ready waits for the next run', async () => {
  const { alpha, database } = feeds
  const [tier] = tiers as [Tier]
  const day = Date.parse('2026-11-02T00:00:00Z')
  const dirtyAt = (atMs: number) => ({ tier: tier.name, atMs, whole: true, terminalIds: [], samples: null })
  await database.transaction(alpha, (db) => markDirty(db, alpha, [dirtyAt(day - tier.bucketMs), dirtyAt(day)]))
  const claim = (days: string[]) =>
    database.transaction(alpha, (db) => claimDirty(db, alpha, tier, { closedMs: day + tier.bucketMs, days, limit: 8 }))
  expect((await claim(['2026-11-02'])).map(({ atMs }) => atMs)).toEqual([day])
  expect((await claim(['2026-11-01', '2026-11-02'])).map(({ atMs }) => atMs)).toEqual([day - tier.bucketMs])
})
