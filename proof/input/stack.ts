import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { featureItems } from '#contract/features.ts'
import { snowMeltModes } from '#contract/snow-melt.ts'
import { setSnowMeltConfig } from '#server/commands/snow-melt-configs.ts'
import { createUser } from '#server/identity/create-user.ts'
import { addApiToken } from '#server/testing/add-api-token.ts'
import { type MultiProcessStack, openMultiProcessStack } from '../multi-process/stack.ts'
import {
  addBulkChanges,
  addDecision,
  addIncident,
  addMessage,
  addReport,
  addSavedView,
  addShareLink,
  addWebhook,
  addWindow,
} from './add-rows.ts'
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
  await client.query('update tenant_settings set public_status = true, public_config = public_config || $1', [
    JSON.stringify({ ticket: 'email', chatbotEnabled: true }),
  ])
  await client.end()
}

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
        .select([
          'terminals.id',
          'line.id as lineId',
          'line.nickname',
          'line.service_line_number as sl',
          'terminals.device_id as device',
        ])
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
  await server.untilReady()

  let users = 0
  const addUser = (role: 'admin' | 'user') => {
    const email = `person${++users}@alpha.example`
    return database
      .transaction({ tenantId: TENANT }, (db) =>
        createUser(db, TENANT, by(), {
          email,
          role,
          username: 'north',
          customerName: 'Some One',
          company: 'Company',
          initialPassword: PASSWORD,
        }),
      )
      .then((id) => ({ id, email }))
  }

  /** A user who has just signed in, from a separate address. */
  const signIn = async (email: string) => {
    const response = await fetch(`${server.url}/api/user/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-tenant': TENANT, 'x-forwarded-for': createRandomAddress() },
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

  /** A request that changed settings may have made a second factor mandatory for every other call. */
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
    const sharer = await addUser('admin')
    const victims = [await addUser('user'), await addUser('user'), sharer]
    const { refresh } = await signIn((victims[0] as { email: string }).email)
    const pools = await database.transaction({ tenantId: TENANT }, (db) =>
      db.selectFrom('pools').select('id').execute(),
    )
    const numbers = lines.map(({ sl }) => sl)
    const incident = await addIncident(
      database,
      TENANT,
      lines.map(({ id }) => id),
    )
    const other = await addIncident(
      database,
      TENANT,
      lines.map(({ id }) => id),
    )
    const webhook = await addWebhook(database, TENANT)
    const report = await addReport(database, TENANT)
    return {
      'incidents/id': [incident],
      'maintenance-windows/id': [await addWindow(database, TENANT)],
      'webhooks/id': [webhook.id],
      'reports/id': [report.id],
      'bulk-changes/id': await addBulkChanges(database, TENANT, email, Number(lines[0]?.lineId)),
      'saved-views/id': [await addSavedView(database, TENANT, email)],
      'share-links/id': [await addShareLink(database, TENANT, incident, sharer.id)],
      'report-schedules/id': [report.scheduleId],
      state: [{}, { q: 'status:offline', columns: 'name,status' }],
      recipients: [[], victims.map(({ id }) => String(id))],
      kind: ['terminal'],
      subject: numbers.slice(0, 1),
      days: [7],
      passPhrase: [null, 'under the blue boat'],
      deliveryId: [webhook.deliveryId],
      messageId: [await addMessage(database, TENANT)],
      url: ['https://hooks.example/path'],
      issuer: ['https://id.example'],
      scopes: ['openid email'],
      clientSecret: ['secret'],
      breakGlass: [[]],
      isOnly: [false],
      rules: [[]],
      sample: ['{"email":"ada@id.example","email_verified":true}'],
      incidents: [[other]],
      decision: [await addDecision(database, TENANT, incident)],
      terminals: [lines.slice(0, 1).map(({ device }) => device), lines.map(({ lineId }) => String(lineId))],
      nickname: lines.slice(0, 1).map((line) => line.nickname),
      kitnumber: lines.map((line) => line.nickname),
      sl: numbers.slice(0, 1),
      terminal_id: lines.slice(0, 1).map(({ device }) => device),
      user_id: victims.map(({ id }) => String(id)),
      poolId: [null, ...pools.map(({ id }) => String(id))],
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

/** Rate limits are per address, and many users have many. */
export const createRandomAddress = () =>
  `10.${Array.from({ length: 3 }, () => Math.floor(Math.random() * 254) + 1).join('.')}`

export type QuietStack = Awaited<ReturnType<typeof openQuietStack>>
