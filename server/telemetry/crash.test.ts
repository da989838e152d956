import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { telemetryBody } from './testing/telemetry-body.ts'
import { createTwoFeeds, type TwoFeeds } from './testing/two-feeds.ts'

const child = fileURLToPath(new URL('./testing/apply-and-die.ts', import.meta.url))

let feeds: TwoFeeds
beforeAll(async () => {
  feeds = await createTwoFeeds()
})
afterAll(() => feeds.close())

const applyAndDie = async (tenantId: string, credentialId: number) => {
  const given = JSON.stringify({ connection: feeds.runtime, tenantId, credentialId })
  const doomed = spawn(process.execPath, [child, given], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [, signal] = await once(doomed, 'exit')
  return signal
}

const counts = async (tenantId: string) => {
  const [row] = await feeds.rows(
    tenantId,
    `select (select count(*)::int from samples) as samples, (select count(*)::int from status_intervals) as intervals,
      (select count(*)::int from telemetry_batches where applied_at is null) as waiting`,
  )
  return row
}

test('a process killed while it applies a batch loses nothing, and the next applies it once', async () => {
  const { alpha, beta, nowMs } = feeds
  const body = telemetryBody(
    ['one', 'two', 'three'].flatMap((device) =>
      [0, 15, 30].map((s) => ({ device, atMs: nowMs.value - 60_000 + s * 1000 })),
    ),
  )
  await feeds.store(alpha, body)
  await feeds.store(beta, body)
  expect(await applyAndDie('alpha', alpha.credentialId)).toBe('SIGKILL')
  expect(await counts('alpha')).toEqual({ samples: 0, intervals: 0, waiting: 1 })

  await feeds.applyWaiting(feeds.reopen('alpha', alpha.credentialId))
  expect(await counts('alpha')).toEqual({ samples: 9, intervals: 3, waiting: 0 })
  await feeds.applyWaiting(feeds.reopen('alpha', alpha.credentialId))
  expect(await counts('alpha')).toEqual({ samples: 9, intervals: 3, waiting: 0 })
  expect(await counts('beta')).toEqual({ samples: 0, intervals: 0, waiting: 1 })
})
