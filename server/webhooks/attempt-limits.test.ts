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

test('a worker that stalled past its lease does not overwrite a newer outcome', async () => {
  const desk = await webhooks.listen()
  const { webhook } = await webhooks.create({ url: desk.url })
  desk.next.push({
    status: 500,
    meanwhile: async () => {
      await webhooks.superuser.query(
        "update webhook_deliveries set attempts = attempts + 1, state = 'delivered', response_status = 204, problem = null",
      )
    },
  })
  expect((await webhooks.call('a', 'POST', `${webhook.id}/test/`)).status).toBe(200)
  await webhooks.work()
  expect(desk.take()).toHaveLength(1)
  const { rows } = await webhooks.superuser.query('select state, response_status, problem from webhook_deliveries')
  expect(rows).toEqual([{ state: 'delivered', response_status: 204, problem: null }])
})
