import { randomUUID } from 'node:crypto'
import type pg from 'pg'

/** The stored facts of a loss about which nothing is known. */
export const NO_FACTS = JSON.stringify({
  cell: null,
  before: null,
  lostPingsFirst: false,
  after: null,
  rebootRequestedAtMs: null,
})

/**
 * An incident of tenant a that ended recently, with the given number of terminals that are in no list. The time of a
 * loss is a key, so it is rounded to the milliseconds of a JavaScript Date.
 */
const insertIncident = async (superuser: pg.Client, id: string, terminals: number) => {
  await superuser.query(
    `insert into incidents (tenant_id, id, cause, reach, confidence, started_at, opened_at, ended_at, terminal_count, evidence)
     values ('a', $1, 'unknown', 'several', 0.5, now() - interval '20 minutes', now(), now() - interval '10 minutes', $2, $3)`,
    [id, terminals, JSON.stringify({ observed: terminals, back: 0, lostPower: 0, alerts: [] })],
  )
  const { rows } = await superuser.query<{ device_id: string }>(
    `with added as (
       insert into terminals (tenant_id, credential_id, service_line_id, device_id, removed_at)
       select tenant_id, credential_id, id, gen_random_uuid()::text, now()
       from (select * from service_lines where tenant_id = 'a' order by id limit 1) as line, generate_series(1, $2::integer)
       returning id, device_id),
     lost as (
       insert into terminal_losses (tenant_id, terminal_id, lost_at, back_at, disabled, facts, incident_id)
       select 'a', id, date_trunc('milliseconds', now()) - interval '20 minutes', now() - interval '10 minutes', false, $3, $1
       from added)
     select device_id from added`,
    [id, terminals, NO_FACTS],
  )
  return rows.map((row) => row.device_id)
}

/** Two incidents of two terminals each, the second of which was manually split off from the first. */
export const seedSplitIncident = async (superuser: pg.Client) => {
  const id = randomUUID()
  const apart = randomUUID()
  const decision = randomUUID()
  const devices = await insertIncident(superuser, id, 2)
  await insertIncident(superuser, apart, 2)
  await superuser.query(
    `insert into incident_decisions (tenant_id, id, kind, incident_id, decided_at) values ('a', $1, 'split', $2, now())`,
    [decision, apart],
  )
  await superuser.query(
    `insert into incident_decision_losses (tenant_id, decision_id, terminal_id, lost_at, former_id)
     select tenant_id, $1, terminal_id, lost_at, $3 from terminal_losses where tenant_id = 'a' and incident_id = $2`,
    [decision, apart, id],
  )
  return { id, apart, decision, devices }
}
