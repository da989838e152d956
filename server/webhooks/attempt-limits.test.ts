import { expect, test } from 'vitest'
import { setupWebhooks } from './testing/setup-webhooks.ts'

const webhooks = setupWebhooks()

test('attempts on request are limited, because they wait for nothing', async () => {
  const desk = await webhooks.listen()
  const { webhook } = await webhooks.create({ url: desk.url })
  const statuses: number[] = []
  for (let time = 0; time < 62; time++) statuses.push((await webhooks.call('a', 'POST', `${webhook.id}/test/`)).status)
  expect(statuses).toEqual([...Array(60).fill(200), 429, 429])
})
