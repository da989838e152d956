import pino from 'pino'
import { expect, test } from 'vitest'
import { judgeUntil } from '../incidents/testing/judge-until.ts'
import { addLines, addTurns } from '../notifications/testing/fleet.ts'
import { createPoolQueue } from '../plans/queue.ts'
import { setupWebhooks } from './testing/setup-webhooks.ts'

const webhooks = setupWebhooks()
const { create, listen, work } = webhooks
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)

test('an incident is reported when it begins, changes and ends, and not while it stays as it is', async () => {
  const desk = await listen()
  const eventTypes = ['incident.opened', 'incident.changed', 'incident.resolved'] as const
  await create({ url: desk.url, eventTypes: [...eventTypes] })
  const { database } = webhooks.server
  const [line] = await addLines(database, 'a', 1, 'north')
  const terminalId = line?.terminalId as number
  await addTurns(database, 'a', [{ terminalId, status: 'online', at: ago(3_000), notedAt: ago(3_000) }])
  await addTurns(database, 'a', [{ terminalId, status: 'offline', at: ago(60), notedAt: ago(57) }])
  const takeTypes = () => desk.take().map(({ body }) => JSON.parse(body).type)
  await judgeUntil(database, 'a', ago(50))
  await work()
  expect(takeTypes()).toEqual(['incident.opened'])
  await judgeUntil(database, 'a', ago(49))
  await work()
  expect(takeTypes()).toEqual([])
  const [incident] = (await webhooks.superuser.query('select id from incidents')).rows
  const { access } = await webhooks.server.signIn('a', 'admin@a.example')
  const acknowledged = await webhooks.server.call('a', 'POST', `/api/incidents/${incident.id}/acknowledge/`, {
    token: access,
    body: { note: 'On my way' },
  })
  expect(acknowledged.status).toBe(200)
  await work()
  expect(takeTypes()).toEqual(['incident.changed'])
  await addTurns(database, 'a', [{ terminalId, status: 'online', at: ago(30), notedAt: ago(27) }])
  await judgeUntil(database, 'a', ago(20))
  await work()
  expect(takeTypes().at(-1)).toBe('incident.resolved')
})

test('usage is reported at 80, 90 and 100 percent, once', async () => {
  const desk = await listen()
  await create({ url: desk.url, eventTypes: ['usage.threshold_reached'] })
  const { database, services } = webhooks.server
  const [line] = await addLines(database, 'a', 1, 'south')
  await webhooks.superuser.query(
    `insert into line_usage (tenant_id, service_line_id, cycle_start, cycle_end, priority_gb, standard_gb, opt_in_priority_gb, non_billable_gb, usage_limit_gb)
     values ('a', $1, current_date - 9, current_date + 9, 91, 0, 0, 0, 100)`,
    [line?.lineId],
  )
  const { queue, close } = createPoolQueue({
    database,
    secrets: services.secrets,
    log: pino({ level: 'silent' }),
    now: () => new Date(),
  })
  const run = () =>
    queue.run({ queue: 'pools', tenantId: 'a', subject: '', fence: 1, failures: 0 }, new AbortController().signal)
  await run()
  await run()
  close()
  await work()
  const sent = desk.take().map(({ body }) => JSON.parse(body).data)
  expect(sent.map(({ percent }) => percent).sort()).toEqual([80, 90])
  expect(sent[0]).toMatchObject({ usedGb: 91, limitGb: 100, terminal: { name: 'Nome 1', group: 'south' }, pool: null })
})
