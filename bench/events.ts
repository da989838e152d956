import { createUser } from '#server/identity/create-user.ts'
import { withDatabase } from './database.ts'
import type { Bench, Figure } from './figures.ts'
import { type FleetStack, openFleetStack } from './fleet-stack.ts'
import { findMedian } from './median.ts'

const TENANT = 'events'
const PASSWORD = 'Bench-pass-1'
const LINES = 100_000
const MAX_MS = 20
const CALLS = 15

/** Customers by number of lines. */
const groups = { small: 1, medium: 300, large: 10_000, huge: 50_000 }

// Every line has two events, and every tenth an incident that begins and ends. Those of the first group are the oldest.
const EVENTS = [
  `insert into events (tenant_id, kind, type, at, noted_at, service_line_id, group_name, details)
   select $1, case n when 0 then 'status' else 'alert' end,
     case n when 0 then 'terminal.status_changed' else 'terminal.alert_raised' end,
     now() - (200000 - id) * interval '1 second', now() - (200000 - id) * interval '1 second', id, group_name,
     case n when 0 then '{"status":"offline"}' else '{"alert":"mast_not_vertical"}' end::jsonb
   from service_lines, generate_series(0, 1) as n where tenant_id = $1`,
  `insert into incidents (tenant_id, id, cause, reach, confidence, started_at, opened_at, ended_at, terminal_count, evidence)
   select $1, md5(id::text)::uuid, 'power', 'terminal', 0.9, now() - interval '2 days', now(), now(), 1,
     '{"observed":1,"alerts":[]}' from terminals where tenant_id = $1 and id % 10 = 1`,
  `insert into terminal_losses (tenant_id, terminal_id, lost_at, back_at, disabled, facts, incident_id)
   select $1, id, now() - interval '2 days', now(), false, '{}', md5(id::text)::uuid
   from terminals where tenant_id = $1 and id % 10 = 1`,
  `insert into events (tenant_id, kind, type, at, noted_at, incident_id, group_name, details)
   select $1, 'incident', type, now(), now() - (200000 - line.id) * interval '1 second', md5(terminal.id::text)::uuid, reader, '{}'
   from terminals as terminal
   join service_lines as line on line.tenant_id = $1 and line.id = terminal.service_line_id
   cross join unnest(array['incident.opened', 'incident.resolved']) as type
   cross join unnest(array[null, line.group_name]) as reader
   where terminal.tenant_id = $1 and terminal.id % 10 = 1`,
]

const fill = async ({ database, addFleet }: FleetStack) => {
  await addFleet(TENANT, LINES)
  await database.transaction({ tenantId: TENANT }, async (db, client) => {
    await client.query('set local statement_timeout = 0')
    let first = 1
    for (const [group, count] of Object.entries(groups)) {
      await client.query(
        `update service_lines set group_name = $2 where tenant_id = $1 and id in (
           select id from service_lines where tenant_id = $1 order by id offset $3 limit $4)`,
        [TENANT, group, first - 1, count],
      )
      first += count
      await createUser(
        db,
        TENANT,
        { performer: 'bench', now: new Date() },
        {
          email: `${group}@${TENANT}.example`,
          username: group,
          customerName: group,
          company: group,
          initialPassword: PASSWORD,
          role: 'user',
        },
      )
    }
    for (const statement of EVENTS) await client.query(statement, [TENANT])
  })
}

/** The slowest page that a user can request. */
const measure = async (stack: FleetStack, access: string) => {
  const read = async (query: string) => {
    const headers = { authorization: `Bearer ${access}`, 'x-tenant': TENANT }
    const response = await fetch(`${stack.url}/api/events/?${query}`, { headers })
    if (response.status !== 200) throw new Error(`A page of events returned ${response.status}.`)
    return (await response.json()) as { events: { id: string }[]; next: string | null }
  }
  const { events, next } = await read('')
  const queries = [
    '',
    'kinds=incident',
    'kinds=pool,command',
    `after=${events[0]?.id ?? '1-1'}`,
    `before=${next ?? '1-1'}`,
  ]
  const slowest: number[] = []
  for (const query of queries) {
    const times: number[] = []
    for (let call = 0; call < CALLS; call++) {
      await read(query)
      times.push(stack.lastServerMs())
    }
    slowest.push(findMedian(times))
  }
  return Math.max(...slowest)
}

/** Server time of a page of events, for customers of every size. */
export const measureEvents: Bench = () =>
  withDatabase(async (connections) => {
    const stack = await openFleetStack(connections)
    try {
      await fill(stack)
      const figures: Figure[] = []
      const add = async (name: string, email: string) => {
        const { access } = await stack.signIn(TENANT, email)
        figures.push({ name, value: await measure(stack, access), unit: 'ms', atMost: MAX_MS })
      }
      for (const [group, count] of Object.entries(groups))
        await add(`a page of events of a group of ${count.toLocaleString('en-US')}`, `${group}@${TENANT}.example`)
      await add(`a page of all ${LINES.toLocaleString('en-US')}`, `admin@${TENANT}.example`)
      return figures
    } finally {
      await stack.close()
    }
  })
