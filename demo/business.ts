import { sql } from 'kysely'
import { mailAuditHead } from '#server/audit-digest/mail-heads.ts'
import type { AppServices } from '#server/process/app.ts'
import { openPastCalls, type PastRequest } from './past-calls.ts'
import { demoTenants, demoUsers, TENANT_AGE_MS, USER_PASSWORD } from './tenants.ts'

interface Line {
  id: number
  nickname: string
  group: string
}

/** Users whom the administrator of each reseller added later. */
const COLLEAGUES = {
  sam: { customerName: 'Sam Rivera', company: 'Operations', username: 'staff', role: 'admin' },
  ellen: { customerName: 'Ellen Ahvik', company: 'Northern Villages Cooperative', username: 'north', role: 'user' },
  joe: { customerName: 'Joe Tanaka', company: 'Gulf Coast Harbors', username: 'south', role: 'user' },
  maria: { customerName: 'Maria Lindgren', company: 'Gulf Coast Harbors', username: 'south', role: 'user' },
  peter: { customerName: 'Peter Nash', company: 'Northern Villages Cooperative', username: 'north', role: 'user' },
} as const

type UserName = keyof typeof COLLEAGUES | 'admin' | 'user' | 'south'

interface Visit {
  daysAgo: number
  who: UserName
  requests: PastRequest[]
  /** The user's last visit. */
  addsAuthenticator?: true
}

const TICKET_PATH = '/ticket/'
const LINES_MAX = 200
const DAY_MS = 86_400_000

const listLines = async ({ database }: AppServices, tenantId: string) => {
  const { rows } = await database.transaction({ tenantId }, (db) =>
    sql<Line>`
      select id, nickname, group_name as group from service_lines
      where tenant_id = ${tenantId} and removed_at is null and exists (
        select from vendor_feeds where tenant_id = ${tenantId} and feed = 'usage' and last_success_at is not null)
      order by id limit ${LINES_MAX}`.execute(db),
  )
  return rows
}

const create = (tenantId: string, name: keyof typeof COLLEAGUES): PastRequest => ({
  method: 'POST',
  path: '/create-user/',
  body: { email: `${name}@${tenantId}.example`, initialPassword: USER_PASSWORD, ...COLLEAGUES[name] },
})

const post = (path: string, body: object): PastRequest => ({ method: 'POST', path, body })

const ask = (name: string, email: string, message: string) => post(TICKET_PATH, { name, email, message })

/** A customer's name for a line may contain letters, digits, spaces, underscores and dashes. */
const rename = ({ nickname }: Line, suffix: string): PastRequest => ({
  method: 'PATCH',
  path: `/update-service-line-custom-name/${encodeURIComponent(nickname)}/`,
  body: { customname: `${nickname.replaceAll(/[^\p{L}\p{N} _-]/gu, '')} - ${suffix}` },
})

const describe = ({ nickname }: Line, field: 1 | 2 | 3, value: string): PastRequest => ({
  method: 'PATCH',
  path: `/service-lines/${encodeURIComponent(nickname)}/metadata/metadata${field}/`,
  body: { value },
})

const MOUNTS = ['Roof mount', 'Pole mount', 'Wall mount', 'Wheelhouse top']

const describeAll = (lines: Line[]) =>
  lines.flatMap((line, index) => [
    describe(line, 1, `Asset ${10_000 + line.id * 7}`),
    describe(line, 2, `Contract ends ${index % 2 === 0 ? 'April 2027' : 'October 2028'}`),
    describe(line, 3, MOUNTS[index % MOUNTS.length] as string),
  ])

const grant = (userId: number, item: string, value: string): PastRequest => ({
  method: 'PATCH',
  path: '/acp/value/',
  body: { user_id: String(userId), item_code: item, value },
})

/** Maintenance on one night, far enough from the present to suppress no notification of the demo. */
const planMaintenance = (name: string, group: string, atMs: number): PastRequest =>
  post('/maintenance-windows/', {
    name,
    target: { kind: 'group', group },
    schedule: {
      repeats: 'once',
      firstDay: new Date(atMs).toISOString().slice(0, 10),
      startMinute: '02:30',
      lengthMinutes: 120,
    },
  })

/** Reports on all terminals. The latest ones exist when the demo starts. */
const scheduleReports = post('/report-schedules/', {
  name: 'Weekly report',
  group: null,
  period: 'week',
  timeZone: 'America/Anchorage',
  sendAt: '07:00',
  recipients: [],
})

/** What happened at a reseller in the past six weeks, in chronological order. */
const listVisits = (tenantId: string, lines: Line[], userIds: Map<string, number>, presentMs: number): Visit[] => {
  const address = (name: UserName) => `${name}@${tenantId}.example`
  const id = (name: UserName) => userIds.get(address(name)) as number
  const north = lines.filter(({ group }) => group === 'north')
  const south = lines.filter(({ group }) => group === 'south')
  const selected = lines.map((line) => line.id).join(',')
  const notifications = [
    post('/change_selected_terminals/', { selectedTerminalList: selected }),
    post('/enable-notification/', { enableNotification: true }),
    post('/status-change-notification/', { statusChangeNotification: true }),
    post('/data-usage-notification/', { dataUsageNotification: true }),
    post('/warning-notification/', { warningNotification: true }),
  ]
  return [
    { daysAgo: 41.2, who: 'admin', requests: [create(tenantId, 'sam'), create(tenantId, 'ellen'), ...notifications] },
    {
      daysAgo: 38.4,
      who: 'admin',
      requests: [
        grant(id('user'), 'rename_terminal', 'true'),
        grant(id('user'), 'metadata', 'read_write'),
        grant(id('south'), 'metadata', 'read_only'),
        create(tenantId, 'joe'),
      ],
    },
    { daysAgo: 33.3, who: 'sam', requests: describeAll(lines.slice(0, 2)) },
    { daysAgo: 30.2, who: 'ellen', requests: [] },
    { daysAgo: 29.4, who: 'joe', requests: [] },
    {
      daysAgo: 27.1,
      who: 'admin',
      requests: [
        ...north.slice(0, 3).map((line, index) => rename(line, ['main building', 'annex', 'backup'][index] as string)),
        post('/admin-notification/', {
          message: 'On Saturday from 22:00 to 23:00 AKST the portal is updated. Your terminals stay online.',
          users: ['user', 'south', 'ellen'].map((name) => address(name as UserName)),
        }),
        ...north
          .slice(0, 1)
          .flatMap(({ group }): PastRequest[] => [
            planMaintenance('Router updates', group, presentMs - 20 * DAY_MS),
            { method: 'PUT', path: '/availability/target/', body: { group, percent: 99.5 } },
          ]),
      ],
    },
    {
      daysAgo: 21.4,
      who: 'admin',
      requests: [create(tenantId, 'maria'), ...south.slice(0, 2).map((line) => rename(line, 'harbor office'))],
    },
    {
      daysAgo: 16.2,
      who: 'user',
      requests: [
        ...describeAll(north.slice(3, 5)),
        ask('Tom Attla', address('user'), 'In the evening video calls break up at the school. Is the dish too small?'),
      ],
    },
    { daysAgo: 14.1, who: 'maria', requests: [] },
    { daysAgo: 12.3, who: 'sam', requests: [...describeAll(south.slice(2, 4)), scheduleReports] },
    {
      daysAgo: 9.1,
      who: 'south',
      requests: [ask('Rosa Kaminski', address('south'), 'Please add two boats to the pool of the harbor in spring.')],
    },
    {
      daysAgo: 6.2,
      who: 'admin',
      requests: [
        create(tenantId, 'peter'),
        ...north.slice(5, 6).map((line) => rename(line, 'new roof')),
        ...south
          .slice(0, 1)
          .map(({ group }) => planMaintenance('Work on the harbor mast', group, presentMs + 9 * DAY_MS)),
      ],
    },
    { daysAgo: 4.1, who: 'ellen', requests: [], addsAuthenticator: true },
    { daysAgo: 2.3, who: 'joe', requests: [] },
    { daysAgo: 1.2, who: 'sam', requests: describeAll(south.slice(4, 5)), addsAuthenticator: true },
    { daysAgo: 0.3, who: 'maria', requests: [] },
  ]
}

const listUsers = async ({ database }: AppServices, tenantId: string) =>
  database.transaction({ tenantId }, (db) =>
    db.selectFrom('users').select(['id', 'email', 'created_at']).where('tenant_id', '=', tenantId).execute(),
  )

/** The time of the newest entry in the editing log: an interrupted start resumes after it. */
const findNewestEntry = async ({ database }: AppServices, tenantId: string) =>
  database.transaction({ tenantId }, async (db) => {
    const entry = await db
      .selectFrom('audit_log')
      .select('at')
      .where('tenant_id', '=', tenantId)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst()
    return entry?.at.getTime() ?? 0
  })

/** Messages are dated by the database. */
const dateMessages = ({ database }: AppServices, tenantId: string, from: Date, at: Date) =>
  database.transaction({ tenantId }, (db) =>
    db
      .updateTable('messages')
      .set({ created_at: at })
      .where('tenant_id', '=', tenantId)
      .where('created_at', '>=', from)
      .execute(),
  )

/** The mail of this day, dated at its beginning: it is sent once the log has its past. */
const mailEditingLog = async (services: AppServices, tenantId: string) => {
  const startedAt = services.now()
  const midnight = new Date(Math.floor(startedAt.getTime() / DAY_MS) * DAY_MS)
  await mailAuditHead(services.database, tenantId, midnight, services.config.dataDir)
  await dateMessages(services, tenantId, startedAt, midnight)
}

/** A status change is reported after a minute, so that users of the demo see a notification soon. */
const applySettings = ({ database }: AppServices, tenantId: string) =>
  database.transaction({ tenantId }, (db) =>
    db
      .updateTable('tenant_settings')
      .set({ settling_minutes: 1, time_zone: 'America/Anchorage', units: 'imperial' })
      .where('tenant_id', '=', tenantId)
      .execute(),
  )

/**
 * Gives a reseller six weeks of business: users who were added and signed in, names and metadata of lines,
 * permissions, tickets and messages. Returns whether it has it; not before the vendor's inventory and usage were
 * read.
 */
export const addBusiness = async (services: AppServices, tenantId: string): Promise<boolean> => {
  const lines = await listLines(services, tenantId)
  if (lines.length === 0) return false
  const users = await listUsers(services, tenantId)
  const startMs = Math.min(...users.map(({ created_at }) => created_at.getTime()))
  const takesTickets = demoTenants.find(({ id }) => id === tenantId)?.config.ticket === 'email'
  const newestMs = await findNewestEntry(services, tenantId)
  const presentMs = startMs + TENANT_AGE_MS
  const visits = listVisits(tenantId, lines, new Map(users.map(({ id, email }) => [email, id])), presentMs)
    .map(({ requests, ...visit }) => ({
      ...visit,
      requests: takesTickets ? requests : requests.filter(({ path }) => path !== TICKET_PATH),
      atMs: presentMs - visit.daysAgo * DAY_MS,
    }))
    .filter(({ atMs }) => atMs > newestMs)
  if (visits.length === 0) return true
  await applySettings(services, tenantId)
  const past = await openPastCalls(services)
  try {
    for (const { atMs, who, requests, addsAuthenticator = false } of visits) {
      const startedAt = services.now()
      const password = demoUsers.find(({ name }) => name === who)?.password ?? USER_PASSWORD
      const user = { tenantId, email: `${who}@${tenantId}.example`, password }
      await past.visit(new Date(atMs), user, requests, { addsAuthenticator })
      await dateMessages(services, tenantId, startedAt, new Date(atMs))
    }
    await mailEditingLog(services, tenantId)
    return true
  } finally {
    await past.close()
  }
}
