import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { featureItems } from '#contract/features.ts'
import { snowMeltModes } from '#contract/snow-melt.ts'
import { setSnowMeltConfig } from '#server/commands/snow-melt-configs.ts'
import { createUser } from '#server/identity/create-user.ts'
import { insertWindow } from '#server/maintenance/window-rows.ts'
import type { Database } from '#server/platform/database/database.ts'
import { buildFigures, encodeFigures } from '#server/reports/testing/figures.ts'
import { addApiToken } from '#server/testing/add-api-token.ts'
import { NO_FACTS } from '#server/testing/seed-incident.ts'
import { type MultiProcessStack, openMultiProcessStack } from '../multi-process/stack.ts'
import type { Known } from './valid.ts'

const TENANT = 'alpha'
const PASSWORD = 'Proof-pass-1'
const by = () => ({ performer: 'proof', now: new Date() })

const csv = (name: string) =>
  `email,username,customerName,company,role,initialPassword\n${name}@alpha.example,north,N,C,user,Initial-pass-1\n`

/** Enables everything that a tenant can have, so that every call has something to do. */
const switchAllOn = async ({ database, superuser }: MultiProcessStack) => {
  for (const mode of snowMeltModes)
    await database.transaction({ tenantId: TENANT }, (db) =>
      setSnowMeltConfig(db, by(), {
        tenantId: TENANT,
        mode,
        configId: `snow-melt-${mode.toLowerCase().replace('_', '-')}`,
      }),
    )
  const client = new pg.Client(superuser)
  await client.connect()
  await client.query('update tenant_settings set public_config = public_config || $1', [
    JSON.stringify({ ticket: 'email', chatbotEnabled: true }),
  ])
  await client.end()
}

/** An incident of terminals that were lost for a minute. */
const addIncident = (database: Database, terminalIds: readonly number[]) =>
  database.transaction({ tenantId: TENANT }, async (db) => {
    const key = { tenant_id: TENANT, id: randomUUID() }
    const backAt = new Date()
    const startedAt = new Date(backAt.getTime() - 60_000)
    const evidence = { observed: 2, back: 0, lostPower: 0, signalQuality: null, obstruction: null, alerts: [] }
    await db
      .insertInto('incidents')
      .values({
        ...{ ...key, cause: 'power', reach: 'terminal', confidence: 0.6, terminal_count: terminalIds.length },
        ...{ started_at: startedAt, opened_at: startedAt, evidence: JSON.stringify(evidence) },
      })
      .execute()
    const times = { lost_at: startedAt, back_at: backAt }
    const loss = { tenant_id: TENANT, ...times, disabled: false, facts: NO_FACTS, incident_id: key.id }
    await db
      .insertInto('terminal_losses')
      .values(terminalIds.map((terminal_id) => ({ ...loss, terminal_id })))
      .execute()
    return key.id
  })

/** A decision of the past that can be taken back. */
const addDecision = (database: Database, incidentId: string) =>
  database.transaction({ tenantId: TENANT }, async (db) => {
    const key = { tenant_id: TENANT, id: randomUUID() }
    await db
      .insertInto('incident_decisions')
      .values({ ...key, kind: 'merge', incident_id: incidentId, decided_at: new Date() })
      .execute()
    const losses = db
      .selectFrom('terminal_losses')
      .select(['tenant_id', sql.val(key.id).as('decision_id'), 'terminal_id', 'lost_at', 'incident_id'])
      .where('tenant_id', '=', TENANT)
      .where('incident_id', '=', incidentId)
    await db
      .insertInto('incident_decision_losses')
      .columns(['tenant_id', 'decision_id', 'terminal_id', 'lost_at', 'former_id'])
      .expression(losses as never)
      .execute()
    return key.id
  })

const addWindow = async (database: Database) => {
  const id = randomUUID()
  await database.transaction({ tenantId: TENANT }, (db) =>
    insertWindow(db, TENANT, {
      ...{ id, name: 'New mast', lineId: null, group: 'north', area: null, timeZone: 'UTC', enteredAt: new Date() },
      schedule: {
        ...{ repeats: 'weekly', days: [1], firstDay: '2026-01-01', lastDay: null },
        ...{ startMinute: 120, lengthMinutes: 60 },
      },
    }),
  )
  return id
}

/** A schedule of reports, and one that it made. */
const addReport = (database: Database) =>
  database.transaction({ tenantId: TENANT }, async (db) => {
    const schedule = { tenant_id: TENANT, id: randomUUID() }
    const days = { period: 'week', first_day: '2026-11-02', last_day: '2026-11-08' }
    await db
      .insertInto('report_schedules')
      .values({
        ...{ ...schedule, name: 'Weekly', period: 'week', time_zone: 'UTC', send_minute: 420 },
        ...{ next_day: '2026-11-09', next_at: new Date() },
      })
      .execute()
    const report = { tenant_id: TENANT, id: randomUUID() }
    await db
      .insertInto('reports')
      .values({
        ...{ ...report, ...days, schedule_id: schedule.id, name: 'Weekly', group_name: 'north', made_at: new Date() },
        figures: encodeFigures(buildFigures('north', 'Dock 7')),
      })
      .execute()
    return { scheduleId: schedule.id, id: report.id }
  })

/** The only webhook, because a tenant may have a few only. It has sent one event. */
const addWebhook = (database: Database) =>
  database.transaction({ tenantId: TENANT }, async (db) => {
    await db.deleteFrom('webhook_endpoints').where('tenant_id', '=', TENANT).execute()
    const key = { tenant_id: TENANT, id: randomUUID() }
    const now = new Date()
    await db
      .insertInto('webhook_endpoints')
      .values({
        ...{
          ...key,
          name: 'Desk',
          url: 'https://hooks.example/',
          format: 'standard',
          event_types: ['incident.opened'],
        },
        ...{ sealed_secret: Buffer.of(0), created_at: now },
      })
      .execute()
    const deliveryId = randomUUID()
    await db
      .insertInto('webhook_deliveries')
      .values({
        ...{ tenant_id: TENANT, id: deliveryId, endpoint_id: key.id, type: 'ping', subject: '{}', state: 'delivered' },
        ...{ occurred_at: now, created_at: now, due_at: now, give_up_at: now },
      })
      .execute()
    return { id: key.id, deliveryId }
  })

/** A mail that was sent. */
const addMessage = (database: Database) =>
  database.transaction({ tenantId: TENANT }, async (db) => {
    const id = randomUUID()
    await db
      .insertInto('messages')
      .values({
        ...{ tenant_id: TENANT, id, channel: 'email', recipient: 'ada@alpha.example', subject: 'Hello', text: 'Hello' },
        ...{ message_id: `<${id}@alpha.dishboard>`, state: 'sent', finished_at: new Date() },
      })
      .execute()
    return id
  })

/** A stack with a vendor, a fleet and users, in which only requests change anything. */
export const openQuietStack = async (environment: Record<string, string> = {}) => {
  const stack = await openMultiProcessStack({ terminals: 6, environment })
  const { database } = stack
  await switchAllOn(stack)
  const worker = await stack.child('work', 'work')
  await stack.waitForFleet()
  const listLines = () =>
    database.transaction({ tenantId: TENANT }, (db) =>
      db
        .selectFrom('terminals')
        .innerJoin('service_lines as line', 'line.id', 'terminals.service_line_id')
        .innerJoin('latest', 'latest.terminal_id', 'terminals.id')
        .select(['terminals.id', 'line.nickname', 'line.service_line_number as sl', 'terminals.device_id as device'])
        .limit(2)
        .execute(),
    )
  while ((await listLines()).length < 2) await pause(100)
  await database.transaction({ tenantId: TENANT }, (db) =>
    db.updateTable('service_lines').set({ group_name: 'north' }).where('tenant_id', '=', TENANT).execute(),
  )
  // Writes of a worker could not be distinguished from those of an invalid request.
  await worker.stop()
  const server = await stack.child('serve', 'serve')
  await server.untilReady(30_000)

  let users = 0
  const addUser = (role: 'admin' | 'user') => {
    const email = `person${++users}@alpha.example`
    return database
      .transaction({ tenantId: TENANT }, (db) =>
        createUser(db, TENANT, by(), {
          ...{ email, role, username: 'north', customerName: 'Some One', company: 'Company' },
          initialPassword: PASSWORD,
        }),
      )
      .then((id) => ({ id, email }))
  }

  /** A user who has just signed in, from a separate address. */
  const signIn = async (email: string) => {
    const response = await fetch(`${server.url}/api/user/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tenant': TENANT, 'x-forwarded-for': randomAddress() },
      body: JSON.stringify({ email, password: PASSWORD }),
    })
    if (response.status !== 200) throw new Error(`sign-in returned ${response.status}: ${await response.text()}`)
    return (await response.json()) as { access: string; refresh: string }
  }

  /** The sessions of a user except for the newest: ending that one would sign the user out. */
  const listSessions = async (email: string) => {
    const sessions = await database.transaction({ tenantId: TENANT }, (db) =>
      db
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select('sessions.id')
        .where('users.email', '=', email)
        .orderBy('sessions.created_at')
        .execute(),
    )
    return sessions.slice(0, -1).map(({ id }) => id)
  }

  const addTokens = async (email: string) => {
    const client = new pg.Client(stack.superuser)
    await client.connect()
    const { rows } = await client.query('select id from users where tenant_id = $1 and email = $2', [TENANT, email])
    const ids = []
    for (let count = 0; count < 4; count++) ids.push((await addApiToken(client, TENANT, { userId: rows[0].id })).id)
    await client.end()
    return ids
  }

  /** Requests that change settings may have made it a condition of everything else. */
  const requireNoFactor = () =>
    database.transaction({ tenantId: TENANT }, (db) =>
      db
        .updateTable('tenant_settings')
        .set({ second_factor_for_admins: false, second_factor_for_users: false })
        .where('tenant_id', '=', TENANT)
        .execute(),
    )

  /** A user with every permission, signed in twice. */
  const newCaller = async () => {
    await requireNoFactor()
    const { email } = await addUser('admin')
    await signIn(email)
    return { email, ...(await signIn(email)) }
  }

  /** Existing ids that a newly signed-in user can use in requests. */
  const gatherKnown = async (email: string): Promise<Known> => {
    const lines = await listLines()
    const ownSessions = await listSessions(email)
    const victims = [await addUser('user'), await addUser('user'), await addUser('admin')]
    const { refresh } = await signIn((victims[0] as { email: string }).email)
    const pools = await database.transaction({ tenantId: TENANT }, (db) =>
      db.selectFrom('pools').select('id').execute(),
    )
    const numbers = lines.map(({ sl }) => sl)
    const incident = await addIncident(
      database,
      lines.map(({ id }) => id),
    )
    const other = await addIncident(
      database,
      lines.map(({ id }) => id),
    )
    const webhook = await addWebhook(database)
    const report = await addReport(database)
    return {
      'incidents/id': [incident],
      'maintenance-windows/id': [await addWindow(database)],
      'webhooks/id': [webhook.id],
      'reports/id': [report.id],
      'report-schedules/id': [report.scheduleId],
      recipients: [[], victims.map(({ id }) => String(id))],
      kind: ['terminal'],
      subject: numbers.slice(0, 1),
      days: [7],
      passPhrase: [null, 'under the blue boat'],
      deliveryId: [webhook.deliveryId],
      messageId: [await addMessage(database)],
      url: ['https://hooks.example/path'],
      ...{ issuer: ['https://id.example'], scopes: ['openid email'], clientSecret: ['secret'], breakGlass: [[]] },
      ...{ isOnly: [false], rules: [[]], sample: ['{"email":"ada@id.example","email_verified":true}'] },
      incidents: [[other]],
      decision: [await addDecision(database, incident)],
      terminals: [lines.slice(0, 1).map(({ device }) => device)],
      nickname: lines.slice(0, 1).map((line) => line.nickname),
      kitnumber: lines.map((line) => line.nickname),
      sl: numbers.slice(0, 1),
      terminal_id: lines.slice(0, 1).map(({ device }) => device),
      user_id: victims.map(({ id }) => String(id)),
      virtual_plan_id: pools.map(({ id }) => String(id)),
      sessionId: ownSessions,
      tokenId: await addTokens(email),
      networks: [[], ['192.0.2.0/24', '2001:db8::/32']],
      selectedTerminalList: [lines.map(({ id }) => id).join(','), '', null],
      assigned_service_lines: [[], numbers.slice(1)],
      users: [victims.map(({ email }) => email)],
      email: [...victims.map(({ email }) => email), 'nobody@alpha.example'],
      password: [PASSWORD],
      currentPassword: [PASSWORD],
      newPassword: [PASSWORD, 'Another-pass-2'],
      refresh: [refresh],
      tenant: [TENANT, null],
      timeZone: ['America/Anchorage', 'UTC'],
      from: ['2026-01-01T00:00:00Z'],
      terminal: numbers,
      group: ['north'],
      day: ['2026-01-01'],
      lastDay: ['2026-03-31'],
      until: ['2027-01-01T00:00:00+02:00'],
      item_code: Object.keys(featureItems),
      value: ['true', 'false', 'read_write', 'Dock 7', null],
      csv: [csv('imported'), csv('other')],
      usage_limit: [500, '800'],
      usage_limit_next_month: [500],
      version: [0, 1],
      over_limit_behavior: ['Soft Cap'],
      limit: [1, 1000],
    }
  }

  return { ...stack, tenant: TENANT, url: server.url, exits: server.exits, newCaller, gatherKnown }
}

/** Rate limits count by address, and many users have many. */
export const randomAddress = () =>
  `10.${Array.from({ length: 3 }, () => Math.floor(Math.random() * 254) + 1).join('.')}`

export type QuietStack = Awaited<ReturnType<typeof openQuietStack>>
