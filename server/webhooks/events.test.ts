import { beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { webhookEventTypes } from '#contract/webhook-event-types.ts'
import { type SentEventType, webhookBody, webhookEvents } from '#contract/webhook-events.ts'
import { insertCommand, updateCommand } from '../commands/command-rows.ts'
import { erasePerson } from '../personal-data/erase.ts'
import { publishEvents } from '../platform/publish-events.ts'
import { addLine } from '../testing/add-line.ts'
import { NO_FACTS } from '../testing/seed-incident.ts'
import type { Receiver } from './testing/receiver.ts'
import { setupWebhooks } from './testing/setup-webhooks.ts'

const webhooks = setupWebhooks()
const fleetEvents = webhookEventTypes.filter((type) => !type.startsWith('user.'))
const now = () => new Date()

let whole: Receiver
let north: Receiver
let school: Receiver
let lines: Record<'school' | 'clinic' | 'hotel', { lineId: number; terminalId: number }>

const inTenant = <T>(work: Parameters<typeof webhooks.server.database.transaction<T>>[1]) =>
  webhooks.server.database.transaction({ tenantId: 'a' }, work)

/** The bodies received since the last call; each is checked against the catalog. */
const takeBodies = (receiver: Receiver) =>
  receiver.take().map(({ body }) => {
    const parsed = JSON.parse(body)
    return z.parse(webhookBody(parsed.type as SentEventType), parsed) as unknown as {
      type: string
      data: { terminal: { name: string } }
    }
  })
const takeTypes = (receiver: Receiver) => takeBodies(receiver).map(({ type }) => type)

beforeEach(async () => {
  whole = await webhooks.listen()
  north = await webhooks.listen()
  school = await webhooks.listen()
  await webhooks.superuser.query(
    'delete from terminal_losses; delete from incidents; delete from commands; delete from pool_lines; delete from pools; delete from terminals; delete from service_lines',
  )
  const add = (name: string, group_name: string) =>
    inTenant(async (db) => {
      const added = await addLine(db, 'a', { service_line_number: `SL-${name}`, nickname: name, group_name })
      return { lineId: added.lineId, terminalId: added.terminalIds[0] as number }
    })
  lines = {
    school: await add('school', 'north'),
    clinic: await add('clinic', 'north'),
    hotel: await add('hotel', 'south'),
  }
  await webhooks.create({ url: whole.url, eventTypes: webhookEventTypes })
  await webhooks.create({ url: north.url, eventTypes: fleetEvents, target: { kind: 'group', group: 'north' } })
  await webhooks.create({
    url: school.url,
    eventTypes: fleetEvents,
    target: { kind: 'terminals', terminals: ['school'] },
  })
})

test('every example of the catalog is as its schema says', () => {
  for (const [type, { data, example }] of Object.entries(webhookEvents))
    expect([type, z.safeParse(data, example).error?.issues]).toEqual([type, undefined])
  expect(Object.keys(webhookEvents)).toEqual([...webhookEventTypes, 'ping'])
})

test('a webhook of a group or of terminals gets what is about these', async () => {
  for (const { terminalId } of Object.values(lines))
    await inTenant((db) =>
      publishEvents(db, 'a', [
        { type: 'terminal.alert_raised', at: now(), subject: { terminalId, alert: 'mast_not_vertical' } },
      ]),
    )
  await webhooks.work()
  const listNames = (receiver: Receiver) => takeBodies(receiver).map(({ data }) => data.terminal.name)
  expect(listNames(whole).sort()).toEqual(['clinic', 'hotel', 'school'])
  expect(listNames(north).sort()).toEqual(['clinic', 'school'])
  expect(listNames(school)).toEqual(['school'])
})

test('a line that has left the group before the event is sent is not named', async () => {
  const { terminalId, lineId } = lines.clinic
  await inTenant((db) =>
    publishEvents(db, 'a', [
      { type: 'terminal.alert_cleared', at: now(), subject: { terminalId, alert: 'mast_not_vertical' } },
    ]),
  )
  await webhooks.superuser.query("update service_lines set group_name = 'south' where id = $1", [lineId])
  await webhooks.work()
  expect([whole.received.length, north.received.length]).toEqual([1, 0])
})

test('an incident of several customers counts only the terminals that the webhook is about', async () => {
  const { rows } = await webhooks.superuser.query(
    `insert into incidents (tenant_id, id, cause, reach, confidence, started_at, opened_at, terminal_count, place, note, evidence)
     values ('a', gen_random_uuid(), 'network', 'area', 0.9, now(), now(), 3, 'Juneau', 'secret', '{"observed": 77, "alerts": []}')
     returning id`,
  )
  const incidentId = rows[0].id
  for (const { terminalId } of Object.values(lines))
    await webhooks.superuser.query("insert into terminal_losses values ('a', $1, now(), null, false, $3, $2)", [
      terminalId,
      incidentId,
      NO_FACTS,
    ])
  await inTenant((db) => publishEvents(db, 'a', [{ type: 'incident.opened', at: now(), subject: { incidentId } }]))
  await webhooks.work()
  const bodies = [whole, north, school].map((receiver) => receiver.received[0]?.body as string)
  expect(bodies.map((body) => JSON.parse(body).data.incident.terminals)).toEqual([3, 2, 1])
  expect(bodies.map((body) => JSON.parse(body).data.incident.place)).toEqual(['Juneau', null, null])
  expect(bodies.join('')).not.toContain('secret')
  for (const receiver of [whole, north, school]) receiver.take()
  await webhooks.superuser.query('delete from terminal_losses where terminal_id in ($1, $2)', [
    lines.school.terminalId,
    lines.clinic.terminalId,
  ])
  await inTenant((db) => publishEvents(db, 'a', [{ type: 'incident.changed', at: now(), subject: { incidentId } }]))
  await webhooks.work()
  expect([takeTypes(whole), north.received, school.received]).toEqual([['incident.changed'], [], []])
})

test('a command is reported when it is finished', async () => {
  const id = (await inTenant((db) =>
    insertCommand(db, {
      tenantId: 'a',
      lineId: lines.school.lineId,
      terminalId: null,
      kind: 'reboot',
      desired: null,
      userId: null,
      requestedBy: 'admin@a.example',
      idempotencyKey: undefined,
      requestedAt: now(),
      before: {},
    }),
  )) as number
  await inTenant((db) => updateCommand(db, { tenantId: 'a', id }, { state: 'accepted', acceptedAt: now() }))
  await webhooks.work()
  expect(whole.received).toEqual([])
  await inTenant((db) => updateCommand(db, { tenantId: 'a', id }, { state: 'seen', settledAt: now() }))
  await webhooks.work()
  expect(takeBodies(whole)).toMatchObject([{ data: { command: { kind: 'reboot', state: 'seen' } } }])
  expect([takeTypes(north), takeTypes(school)]).toEqual([['command.finished'], ['command.finished']])
})

test('pools are reported to the whole tenant and to their group', async () => {
  const token = (await webhooks.server.signIn('a', 'admin@a.example')).access
  const form = { plan_name: 'Schools', usage_limit: 500, assigned_service_lines: ['SL-school'] }
  const { status } = await webhooks.server.call('a', 'POST', '/api/virtual-plan/', {
    token,
    body: { pool_details: form },
  })
  expect(status).toBe(200)
  await webhooks.work()
  expect(takeBodies(whole)).toMatchObject([
    { type: 'pool.created', data: { pool: { name: 'Schools', group: 'north' } } },
  ])
  expect([takeTypes(north), takeTypes(school)]).toEqual([['pool.created'], []])
})

test('users are reported to webhooks of the whole tenant, and an erased user leaves nothing', async () => {
  const email = `eve-${Date.now()}@a.example`
  const id = await webhooks.server.addUser('a', { email })
  await webhooks.work()
  expect(takeBodies(whole)).toMatchObject([{ type: 'user.created', data: { user: { id: String(id), email } } }])
  await inTenant((db) => erasePerson(db, 'a', email, { performer: 'test', now: now() }))
  await webhooks.work()
  expect(takeBodies(whole)).toMatchObject([{ type: 'user.deleted', data: { user: { id: String(id), email: null } } }])
  const { rows } = await webhooks.superuser.query('select body, account, subject from webhook_deliveries')
  expect(JSON.stringify(rows)).not.toContain(email)
  expect([north.received, school.received]).toEqual([[], []])
  const form = { name: 'x', url: north.url, format: 'slack', eventTypes: ['user.created'] }
  const refused = await webhooks.call('a', 'POST', '', { ...form, target: { kind: 'group', group: 'north' } })
  expect(refused.status).toBe(400)
})
