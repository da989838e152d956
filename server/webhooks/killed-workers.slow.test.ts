import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { holdUp, kill } from '../messages/testing/killable-worker.ts'
import type { Receiver } from './testing/receiver.ts'
import { setupWebhooks } from './testing/setup-webhooks.ts'

const MINUTE_MS = 60_000
const webhooks = setupWebhooks()
const script = new URL('./testing/work-process.ts', import.meta.url)

const startWorker = (aheadMs: number) =>
  fork(script, [JSON.stringify({ connection: webhooks.server.runtime, aheadMs })])

/** Kills a sending worker at a certain point. */
type KillAt = (desk: Receiver) => Promise<void>

const points: Record<string, KillAt> = {
  'when the receiver has the event and has not responded': async (desk) => {
    const worker = startWorker(MINUTE_MS)
    const gone = once(worker, 'exit')
    desk.next.push({ status: 204, meanwhile: () => kill(worker) })
    await gone
  },
  'when it has the response and has not recorded it': async (desk) => {
    const worker = startWorker(MINUTE_MS)
    const gone = once(worker, 'exit')
    let recording: Promise<void> | undefined
    desk.next.push({
      status: 204,
      meanwhile: async () => {
        const heldUp = await holdUp(webhooks.server, 'select from webhook_attempts for update', 'webhook_attempts')
        recording = heldUp(() => kill(worker))
      },
    })
    await gone
    await recording
  },
  'while it claims the event': async () => {
    const lock = 'lock table webhook_attempts in access exclusive mode'
    const heldUp = await holdUp(webhooks.server, lock, 'webhook_attempts')
    const worker = startWorker(MINUTE_MS)
    await heldUp(() => kill(worker))
  },
}

const listDeliveries = async () => {
  const { rows } = await webhooks.superuser.query('select id, state from webhook_deliveries order by created_at')
  return rows as { id: string; state: string }[]
}

test('killing a worker at each point of sending loses no event, and repeats it at most with the same id and body', async () => {
  const desk = await webhooks.listen()
  const { webhook, secret } = await webhooks.create({ url: desk.url })
  for (const killAt of Object.values(points)) {
    const { status } = await webhooks.call('a', 'POST', `${webhook.id}/test/`)
    expect(status).toBe(200)
    await killAt(desk)
  }
  const queued = await listDeliveries()
  expect(queued.map(({ state }) => state)).toEqual(['queued', 'queued', 'queued'])
  // After the leases of the killed workers have expired.
  const successor = startWorker(3 * MINUTE_MS)
  await expect
    .poll(async () => (await listDeliveries()).map(({ state }) => state))
    .toEqual(['delivered', 'delivered', 'delivered'])
  await kill(successor)

  const received = desk.take()
  const counts = queued.map(({ id }) => received.filter(({ headers }) => headers['webhook-id'] === id).length)
  Object.keys(points).forEach((point, index) => {
    console.log(`killed ${point}: received ${counts[index]} times`)
  })
  expect(counts.every((count) => count >= 1)).toBe(true)
  expect(new Set(received.map(({ body, headers }) => `${headers['webhook-id']} ${body}`)).size).toBe(3)
  for (const { body, headers } of received)
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'ping' })
  const attempts = await Promise.all(
    queued.map(async ({ id }) => (await webhooks.call('a', 'GET', `${webhook.id}/deliveries/${id}/`)).body.delivery),
  )
  // Interrupted attempts stay in the log, without a result.
  const [unanswered, unrecorded, unclaimed] = attempts.map(({ attemptLog }) => attemptLog)
  for (const log of [unanswered, unrecorded])
    expect(log.at(-1)).toMatchObject({ durationMs: null, responseStatus: null })
  for (const log of [unanswered, unrecorded, unclaimed]) expect(log[0]).toMatchObject({ responseStatus: 204 })
})
