import { expect, test } from 'vitest'
import type { WebhookDelivery } from '#contract/webhooks.ts'
import { setupWebhooks } from './testing/setup-webhooks.ts'

const webhooks = setupWebhooks()

test('the deliveries of a webhook are listed in pages, newest first, and by state', async () => {
  const desk = await webhooks.listen()
  const { webhook } = await webhooks.create({ url: desk.url })
  await webhooks.superuser.query(
    `insert into webhook_deliveries (tenant_id, id, endpoint_id, type, subject, state, occurred_at, created_at, due_at, give_up_at)
     select 'a', gen_random_uuid(), $1, 'ping', '{}', case when number % 60 = 0 then 'failed' else 'delivered' end,
       now(), now() - number / 3 * interval '1 second', now(), now()
     from generate_series(0, 119) as number`,
    [webhook.id],
  )
  const list = async (query = '') => {
    const { status, body } = await webhooks.call('a', 'GET', `${webhook.id}/deliveries/${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body as { deliveries: WebhookDelivery[]; isMore: boolean }
  }
  const pages = [await list()]
  for (let page = pages[0]; page?.isMore; page = pages.at(-1))
    pages.push(await list(`?before=${page.deliveries.at(-1)?.id}`))
  expect(pages.map(({ deliveries }) => deliveries.length)).toEqual([50, 50, 20])
  const all = pages.flatMap(({ deliveries }) => deliveries)
  expect(new Set(all.map(({ id }) => id)).size).toBe(120)
  const times = all.map(({ createdAt }) => String(createdAt))
  expect(times).toEqual([...times].sort().reverse())
  expect(await list('?state=failed')).toMatchObject({
    deliveries: [{ state: 'failed' }, { state: 'failed' }],
    isMore: false,
  })
  expect((await webhooks.call('b', 'GET', `${webhook.id}/deliveries/`)).status).toBe(404)
})
