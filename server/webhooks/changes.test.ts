import { expect, test } from 'vitest'
import type { WebhookForm } from '#contract/webhooks.ts'
import { holdUp } from '../messages/testing/killable-worker.ts'
import type { Receiver } from './testing/receiver.ts'
import { setupWebhooks } from './testing/setup-webhooks.ts'

const HOUR_MS = 3_600_000
const webhooks = setupWebhooks()
const { addTerminal, create, listen, lose, pass, work } = webhooks

const toNorth: WebhookForm = {
  name: 'Desk',
  url: '',
  format: 'standard',
  eventTypes: ['terminal.status_changed'],
  target: { kind: 'group', group: 'north' },
}

/** A webhook of the group north whose receiver has refused an event, so that it is tried again. */
const createRefused = async () => {
  const former = await listen()
  former.next.push({ status: 500 })
  const { webhook } = await create({ ...toNorth, url: former.url })
  const terminal = await addTerminal()
  await lose(terminal.terminalId)
  await work()
  expect(former.take()).toHaveLength(1)
  return { id: webhook.id, former, terminal }
}

/** Changes the webhook to another receiver, and sends what waits. */
const change = async (id: string, to: Receiver, form: Partial<WebhookForm>) => {
  const { status } = await webhooks.call('a', 'PUT', `${id}/`, { ...toNorth, url: to.url, ...form })
  expect(status).toBe(200)
  pass(HOUR_MS)
  await work('a', [id])
  return to.take()
}

test('an event that waits is not sent to another customer, for whom the webhook is now', async () => {
  const { id, former } = await createRefused()
  expect(await change(id, await listen(), { target: { kind: 'group', group: 'south' } })).toEqual([])
  expect(former.received).toEqual([])
  expect((await webhooks.call('a', 'GET', `${id}/deliveries/`)).body.deliveries).toEqual([])
})

test('an event that waits is written again in another format, and deleted if it is not chosen any more', async () => {
  const { id, former, terminal } = await createRefused()
  const [sent] = await change(id, former, { format: 'slack' })
  expect(JSON.parse(sent?.body ?? '').text).toContain(terminal.nickname)
  const other = await createRefused()
  expect(await change(other.id, other.former, { eventTypes: ['incident.opened'] })).toEqual([])
})

test('an event that waits stays as it is for the same content at a new address', async () => {
  const { id, terminal } = await createRefused()
  const [sent] = await change(id, await listen(), { name: 'New desk' })
  expect(JSON.parse(sent?.body ?? '').data.terminal.name).toBe(terminal.nickname)
})

test('a test that waits is sent after a change as well', async () => {
  const desk = await listen()
  const { webhook } = await create({ ...toNorth, url: desk.url })
  expect((await webhooks.call('a', 'POST', `${webhook.id}/test/`)).status).toBe(200)
  const [sent] = await change(webhook.id, desk, { eventTypes: ['incident.opened'] })
  expect(JSON.parse(sent?.body ?? '').type).toBe('ping')
})

test('a change of one webhook leaves what waits for another as it is', async () => {
  const other = await createRefused()
  const { id, former } = await createRefused()
  await webhooks.superuser.query("update service_lines set custom_name = 'New name' where id = $1", [
    other.terminal.lineId,
  ])
  await change(id, former, { eventTypes: ['incident.opened'] })
  await work('a', [other.id])
  const names = other.former.take().map(({ body }) => JSON.parse(body).data.terminal.name)
  expect(names).toContain(other.terminal.nickname)
})

test('an event that was being written for the former customer is not sent again as it was', async () => {
  const former = await listen()
  const { webhook } = await create({ ...toNorth, url: former.url })
  const { terminalId } = await addTerminal()
  await lose(terminalId)
  const duringWriting = await holdUp(webhooks.server, 'lock table terminals in access exclusive mode', 'terminals')
  former.next.push({ status: 500 })
  const working = work()
  const next = await listen()
  await duringWriting(async () => {
    const south = { ...toNorth, url: next.url, target: { kind: 'group', group: 'south' } } as const
    expect((await webhooks.call('a', 'PUT', `${webhook.id}/`, south)).status).toBe(200)
  })
  await working
  pass(HOUR_MS)
  await work('a', [webhook.id])
  expect(next.take()).toEqual([])
})

test('a failure at the former address does not count against the new one', async () => {
  const [former, next] = [await listen(), await listen()]
  const { webhook } = await create({ ...toNorth, url: former.url })
  await lose((await addTerminal()).terminalId)
  const meanwhile = async () => {
    expect((await webhooks.call('a', 'PUT', `${webhook.id}/`, { ...toNorth, url: next.url })).status).toBe(200)
  }
  former.next.push({ status: 410, meanwhile })
  await work()
  expect(former.take()).toHaveLength(1)
  const { body } = await webhooks.call('a', 'GET', '')
  expect(body.webhooks[0]).toMatchObject({ failingSince: null, pausedAt: null })
})

test('a pause takes effect for the next event, also while others are being sent', async () => {
  const desk = await listen()
  const { webhook } = await create({ url: desk.url })
  for (let count = 0; count < 20; count++) await lose((await addTerminal()).terminalId)
  let pausing: Promise<unknown> | undefined
  const pause = () => webhooks.call('a', 'POST', `${webhook.id}/pause/`, { paused: true })
  const meanwhile = async () => {
    pausing ??= pause()
    await pausing
  }
  // As many as are sent at once.
  desk.next.push(...Array.from({ length: 4 }, () => ({ status: 204, meanwhile })))
  await work()
  expect(desk.received).toHaveLength(4)
  const { body } = await webhooks.call('a', 'GET', '')
  expect(body.webhooks[0]).toMatchObject({ pauseReason: 'Paused by an administrator.', waiting: 16 })
})
