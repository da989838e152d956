import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { appendEdges } from '../telemetry/terminal-states.ts'
import { setupWebhooks } from './testing/setup-webhooks.ts'

const DAY_MS = 86_400_000
const webhooks = setupWebhooks()
const { addTerminal, create, listen, lose, work, pass } = webhooks

test('an event is sent once, signed as the specification says, to the tenant that it belongs to', async () => {
  const [desk, other] = [await listen(), await listen()]
  const { secret } = await create({ url: desk.url })
  await create({ url: other.url }, 'b')
  const { terminalId, nickname, serviceLine } = await addTerminal()
  await lose(terminalId)
  await work()
  await work()
  await work('b')
  const [sent] = desk.take()
  const verified = new Webhook(secret).verify(sent?.body as string, sent?.headers as Record<string, string>)
  expect(verified).toEqual({
    type: 'terminal.status_changed',
    version: 1,
    timestamp: expect.any(String),
    data: {
      status: 'offline',
      previousStatus: 'online',
      since: expect.any(String),
      terminal: {
        deviceId: expect.any(String),
        kitNumber: expect.any(String),
        serviceLine,
        nickname,
        name: nickname,
        group: 'north',
        link: `https://a.example/terminal/${nickname}`,
      },
    },
  })
  expect(desk.received).toEqual([])
  expect(other.received).toEqual([])
  expect(() => new Webhook(secret).verify(`${sent?.body} `, sent?.headers as Record<string, string>)).toThrow()
})

test('what is rolled back is not sent, and neither is old history', async () => {
  const desk = await listen()
  await create({ url: desk.url })
  const { terminalId } = await addTerminal()
  const undone = webhooks.server.database.transaction({ tenantId: 'a' }, async (db) => {
    await appendEdges(db, 'a', [{ terminalId, atMs: Date.now(), status: 'offline', disabled: false }])
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await lose(terminalId, 'a', Date.now() - 3 * DAY_MS)
  await work()
  expect(desk.received).toEqual([])
})

test('a failed attempt is repeated with the same id and body and a new time; Retry-After is honored', async () => {
  const desk = await listen()
  const { webhook } = await create({ url: desk.url })
  await lose((await addTerminal()).terminalId)
  desk.next.push({ status: 500, body: 'broken' }, { status: 503, headers: { 'retry-after': '1800' } })
  const [first] = await work()
  const now = webhooks.server.clock.now.getTime()
  expect(first?.getTime()).toBeGreaterThan(now)
  // Before that, nothing is attempted.
  await work('a', [webhook.id])
  expect(desk.received).toHaveLength(1)
  pass(60_000)
  const [second] = await work('a', [webhook.id])
  expect((second as Date).getTime() - webhooks.server.clock.now.getTime()).toBe(1_800_000)
  pass(1_800_000)
  expect(await work('a', [webhook.id])).toEqual([undefined])
  const sent = desk.take()
  expect(new Set(sent.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(new Set(sent.map(({ body }) => body)).size).toBe(1)
  expect(new Set(sent.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(3)
  const { body } = await webhooks.call('a', 'GET', `${webhook.id}/deliveries/`)
  expect(body.deliveries).toMatchObject([{ state: 'delivered', attempts: 3, responseStatus: 204, problem: null }])
  const detail = await webhooks.call('a', 'GET', `${webhook.id}/deliveries/${body.deliveries[0].id}/`)
  expect(detail.body.delivery.attemptLog).toMatchObject([
    { durationMs: expect.any(Number), responseStatus: 204, responseBody: '', problem: null },
    { durationMs: expect.any(Number), responseStatus: 503, problem: 'The receiver returned 503.' },
    { durationMs: expect.any(Number), responseStatus: 500, responseBody: 'broken', problem: expect.any(String) },
  ])
  const times = detail.body.delivery.attemptLog.map(({ startedAt }: { startedAt: string }) => Date.parse(startedAt))
  expect([times[0] - times[1], times[1] - times[2]]).toEqual([1_800_000, 60_000])
})

test('a message that is replayed later, or altered, does not pass at the receiver', async () => {
  const desk = await listen()
  const { webhook, secret } = await create({ url: desk.url })
  const { body } = await webhooks.call('a', 'POST', `${webhook.id}/test/`)
  await work('a', [webhook.id])
  const [sent] = desk.take() as [(typeof desk.received)[number]]
  const receiver = new Webhook(secret)
  expect(receiver.verify(sent.body, sent.headers)).toMatchObject({ type: 'ping' })
  expect(() => receiver.verify(`${sent.body} `, sent.headers)).toThrow('No matching signature')
  const renamed = { ...(sent.headers as Record<string, string>), 'webhook-id': 'another' }
  expect(() => receiver.verify(sent.body, renamed)).toThrow('No matching signature')
  // A ten-minute-old request, as an attacker would replay it.
  await webhooks.call('a', 'POST', `${webhook.id}/deliveries/${body.deliveryId}/resend/`)
  pass(-10 * 60_000)
  await webhooks.superuser.query("update webhook_deliveries set due_at = 'epoch'")
  await work('a', [webhook.id])
  const [old] = desk.take() as [(typeof desk.received)[number]]
  expect(old.headers['webhook-id']).toBe(sent.headers['webhook-id'])
  expect(() => receiver.verify(old.body, old.headers)).toThrow('timestamp too old')
})

test('a receiver that has failed for three days is paused, the administrators get a mail, and it can be resumed', async () => {
  const desk = await listen()
  const { webhook } = await create({ url: desk.url })
  await webhooks.superuser.query('delete from messages')
  const { terminalId } = await addTerminal()
  await lose(terminalId)
  await work()
  desk.take()
  for (const days of [0, 1, 2, 3]) {
    desk.next.push({ status: 500, body: '<html>\0' })
    await lose((await addTerminal()).terminalId)
    pass(days === 0 ? 60_000 : DAY_MS)
    await work('a', [webhook.id])
  }
  const find = async () => (await webhooks.call('a', 'GET', '')).body.webhooks[0]
  expect(await find()).toMatchObject({ pauseReason: 'Every attempt has failed for three days.' })
  const { rows } = await webhooks.superuser.query(
    "select recipient, subject, text from messages where subject like 'The webhook%'",
  )
  expect(rows).toEqual([
    {
      recipient: 'admin@a.example',
      subject: 'The webhook “Desk” is paused',
      text: expect.stringContaining('https://a.example/webhooks'),
    },
  ])
  const before = desk.take().length
  await lose((await addTerminal()).terminalId)
  await work('a', [webhook.id])
  expect([before, desk.received.length]).toEqual([4, 0])
  await webhooks.call('a', 'POST', `${webhook.id}/pause/`, { paused: false })
  await work()
  expect(await find()).toMatchObject({ pausedAt: null, failingSince: null, waiting: 0 })
  // The events of the last three days; older ones were given up.
  expect(desk.take().length).toBeGreaterThan(0)
  const { body } = await webhooks.call('a', 'GET', `${webhook.id}/deliveries/?state=failed`)
  expect(body.deliveries.length).toBeGreaterThan(0)
})

test('an attempt and a pause of a clock that was ahead by days do not wait for those days', async () => {
  const desk = await listen()
  const { webhook } = await create({ url: desk.url })
  await lose((await addTerminal()).terminalId)
  desk.next.push({ status: 500 })
  pass(60 * 3_600_000)
  await work()
  expect(desk.take()).toHaveLength(1)
  pass(-60 * 3_600_000)
  expect(await work('a', [webhook.id])).toEqual([undefined])
  expect(desk.take()).toHaveLength(1)
})

test('a Retry-After that no calendar has counts as none', async () => {
  const desk = await listen()
  const { webhook } = await create({ url: desk.url })
  await lose((await addTerminal()).terminalId)
  desk.next.push({ status: 429, headers: { 'retry-after': '9'.repeat(20) } })
  const [due] = await work()
  expect((due as Date).getTime() - webhooks.server.clock.now.getTime()).toBeLessThan(60_000)
  expect((await webhooks.call('a', 'GET', '')).body.webhooks[0].failingSince).not.toBeNull()
  const { body } = await webhooks.call('a', 'GET', `${webhook.id}/deliveries/`)
  expect(body.deliveries[0].problem).toBe('The receiver returned 429.')
})

test('a receiver can postpone an event by a day at most', async () => {
  const desk = await listen()
  const { webhook } = await create({ url: desk.url })
  await lose((await addTerminal()).terminalId)
  desk.next.push({ status: 503, headers: { 'retry-after': String(40 * 3_600) } })
  await work()
  expect(desk.take()).toHaveLength(1)
  pass(DAY_MS + 60_000)
  await work('a', [webhook.id])
  expect(desk.take()).toHaveLength(1)
})

test('an event that waited for more than three days in a pause is not sent', async () => {
  const desk = await listen()
  const { webhook } = await create({ url: desk.url })
  await webhooks.call('a', 'POST', `${webhook.id}/pause/`, { paused: true })
  await lose((await addTerminal()).terminalId)
  await work()
  pass(3 * DAY_MS + 2 * 3_600_000)
  await webhooks.call('a', 'POST', `${webhook.id}/pause/`, { paused: false })
  await work('a', [webhook.id])
  expect(desk.take()).toEqual([])
  const { body } = await webhooks.call('a', 'GET', `${webhook.id}/deliveries/`)
  expect(body.deliveries[0]).toMatchObject({ state: 'failed', problem: 'It waited for more than three days.' })
})

test('410 pauses at once; a test goes through while it is paused, and is tried once', async () => {
  const desk = await listen()
  const { webhook } = await create({ url: desk.url })
  desk.next.push({ status: 410 }, { status: 404 })
  await lose((await addTerminal()).terminalId)
  await work()
  expect((await webhooks.call('a', 'GET', '')).body.webhooks[0]).toMatchObject({
    pauseReason: 'The receiver returned 410 Gone.',
  })
  desk.take()
  const { body } = await webhooks.call('a', 'POST', `${webhook.id}/test/`)
  await work()
  const path = `${webhook.id}/deliveries/${body.deliveryId}/`
  expect((await webhooks.call('a', 'GET', path)).body.delivery).toMatchObject({
    type: 'ping',
    state: 'failed',
    attempts: 1,
    responseStatus: 404,
    body: expect.stringContaining('This is a test.'),
  })
  await webhooks.call('a', 'POST', `${path}resend/`)
  await work()
  expect((await webhooks.call('a', 'GET', path)).body.delivery).toMatchObject({
    state: 'delivered',
    attempts: 2,
    attemptLog: [{ responseStatus: 204 }, { responseStatus: 404 }],
  })
  expect(desk.take().map(({ headers }) => headers['webhook-id'])).toEqual([body.deliveryId, body.deliveryId])
})

test('for a day both secrets sign', async () => {
  const desk = await listen()
  const { webhook, secret: former } = await create({ url: desk.url })
  const { body } = await webhooks.call('a', 'POST', `${webhook.id}/rotate-secret/`)
  const { secret } = body
  expect(secret).toMatch(/^whsec_/)
  const mails = await webhooks.superuser.query('select recipient from messages where subject = $1', [
    `The webhook “${webhook.name}” has a new secret`,
  ])
  expect(mails.rows).toEqual([{ recipient: 'admin@a.example' }])
  await lose((await addTerminal()).terminalId)
  await work()
  const [sent] = desk.take()
  for (const each of [former, secret])
    expect(new Webhook(each).verify(sent?.body as string, sent?.headers as Record<string, string>)).toBeTruthy()
  pass(DAY_MS)
  await lose((await addTerminal()).terminalId)
  await work()
  expect(desk.take()[0]?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
  const { rows } = await webhooks.superuser.query('select sealed_secret, url from webhook_endpoints')
  expect(rows[0].sealed_secret.toString('latin1')).not.toContain(secret)
})

test('redirects are not followed, and no address of the own network can be entered', async () => {
  const [desk, inside] = [await listen(), await listen()]
  const { webhook } = await create({ url: desk.url })
  desk.next.push({ status: 302, headers: { location: inside.url } })
  await lose((await addTerminal()).terminalId)
  await work()
  expect(inside.received).toEqual([])
  const { body } = await webhooks.call('a', 'GET', `${webhook.id}/deliveries/`)
  expect(body.deliveries[0].problem).toBe('The receiver returned 302. Redirects are not followed.')
  const enter = (url: string) =>
    webhooks.call('a', 'POST', '', {
      name: 'x',
      url,
      format: 'slack',
      eventTypes: ['incident.opened'],
      target: { kind: 'all' },
    })
  // Loopback is allowed here, and nothing beside it.
  for (const url of ['https://169.254.169.254/latest/', 'http://10.0.0.1/']) {
    const refused = await enter(url)
    expect([url, refused.status, refused.body.message]).toEqual([url, 400, expect.stringMatching(/^url: .*internet/)])
  }
  const { config } = webhooks.server.services
  const allowed = config.outboundNetworks.splice(0)
  for (const url of ['https://169.254.169.254/latest/', 'https://[fd00::1]/', 'http://hooks.example/', desk.url])
    expect([url, (await enter(url)).status]).toEqual([url, 400])
  config.outboundNetworks.push(...allowed)
})

test('bodies for Slack and Teams are in the words of people, with a link', async () => {
  const [slack, teams] = [await listen(), await listen()]
  await create({ url: slack.url, format: 'slack' })
  await create({ url: teams.url, format: 'teams' })
  const { terminalId, lineId, nickname } = await addTerminal()
  await webhooks.superuser.query(
    "update service_lines set custom_name = 'A <b> & [C](https://x.example)' where id = $1",
    [lineId],
  )
  await lose(terminalId)
  await work()
  expect(JSON.parse(slack.take()[0]?.body as string)).toEqual({
    text: 'A &lt;b&gt; &amp; [C](https://x.example) is offline',
    blocks: [
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: expect.stringContaining(
            `*<https://a.example/terminal/${nickname}|A &lt;b&gt; &amp; [C](https://x.example) is offline>*\nSince `,
          ),
        },
      },
    ],
  })
  const card = JSON.parse(teams.take()[0]?.body as string).attachments[0].content
  // A TextBlock would show a link.
  expect(card.body.map(({ type }: { type: string }) => type)).toEqual(['RichTextBlock', 'RichTextBlock'])
  expect(card.body[0].inlines).toMatchObject([{ type: 'TextRun', text: 'A <b> & [C](https://x.example) is offline' }])
  expect(card.actions).toEqual([
    { type: 'Action.OpenUrl', title: 'Open', url: `https://a.example/terminal/${nickname}` },
  ])
})

test('a dead receiver does not hold up another one, and a failed event not those after it', async () => {
  const [desk, dead] = [await listen(), await listen()]
  const first = await create({ url: dead.url, name: 'Dead' })
  await create({ url: desk.url })
  await dead.close()
  for (let count = 0; count < 3; count++) await lose((await addTerminal()).terminalId)
  await work()
  expect(desk.take()).toHaveLength(3)
  const { body } = await webhooks.call('a', 'GET', `${first.webhook.id}/deliveries/`)
  expect(body.deliveries.some(({ problem }: { problem: string }) => problem?.includes('ECONNREFUSED'))).toBe(true)
})

test('the secret is in one response only, and other tenants find nothing', async () => {
  const desk = await listen()
  const { webhook, secret } = await create({ url: desk.url })
  expect(JSON.stringify((await webhooks.call('a', 'GET', '')).body)).not.toContain(secret)
  expect((await webhooks.call('b', 'GET', '')).body.webhooks).toEqual([])
  for (const path of ['deliveries/', `deliveries/${webhook.id}/`])
    expect((await webhooks.call('b', 'GET', `${webhook.id}/${path}`)).status).toBe(404)
  for (const path of ['test/', 'rotate-secret/', `deliveries/${webhook.id}/resend/`])
    expect((await webhooks.call('b', 'POST', `${webhook.id}/${path}`)).status).toBe(404)
  expect((await webhooks.call('b', 'DELETE', `${webhook.id}/`)).status).toBe(404)
})
