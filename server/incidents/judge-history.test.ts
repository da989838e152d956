import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { createRandom } from '../testing/random.ts'
import { rehearseIncidents } from './rehearse-incidents.ts'
import { judgeUntil } from './testing/judge-until.ts'
import { startIncidentServer } from './testing/start-incident-server.ts'

const MINUTES_OF_DAY = 1_440
const DAYS = 20

const lines = Array.from(
  { length: 10 },
  (_, index) => ({ place: index < 6 ? 'Bethel' : 'Juneau', group: 'north' }) as const,
)
const { server, at, inTenant, ids } = await startIncidentServer({ minutesAgo: 60, lines })
afterAll(() => server.close())

interface Outage {
  terminalIds: readonly number[]
  minute: number
  minutes: number
}

/** Single outages of each terminal, and outages of a place that follow them at any time of the day. */
const drawOutages = (random: () => number): Outage[] =>
  Array.from({ length: DAYS }, (_, day): Outage => {
    const minute = Math.round((day - DAYS - 1 + random()) * MINUTES_OF_DAY)
    const minutes = 10 + Math.round(random() * 100)
    if (day % 4 < 3) return { terminalIds: [ids[Math.floor(random() * ids.length)] as number], minute, minutes }
    return { terminalIds: day % 8 === 3 ? ids.slice(0, 6) : ids.slice(6), minute, minutes }
  })

const importOutages = (outages: readonly Outage[]) =>
  inTenant(async (db) => {
    await sql`delete from status_intervals`.execute(db)
    for (const id of ids) {
      const own = outages.filter(({ terminalIds }) => terminalIds.includes(id))
      const edges = [
        { minute: -(DAYS + 10) * MINUTES_OF_DAY, status: 'online' },
        ...own.flatMap(({ minute, minutes }) => [
          { minute, status: 'offline' },
          { minute: minute + minutes, status: 'online' },
        ]),
      ]
      for (const [index, { minute, status }] of edges.entries()) {
        const next = edges[index + 1]
        await sql`insert into status_intervals (tenant_id, terminal_id, started_at, ended_at, status, disabled, noted_at)
          values ('a', ${id}, ${at(minute)}, ${next ? at(next.minute) : null}, ${status}, false, ${at(minute)})`.execute(
          db,
        )
      }
    }
    await sql`delete from incident_progress`.execute(db)
  })

test('weeks of history, judged day by day, make the incidents that judging them at once finds', async () => {
  const random = createRandom(4_711)
  // Two outages of a place around the end of the first day that is judged.
  const around = (minute: number) => [
    { terminalIds: ids.slice(6), minute: minute - 1, minutes: 30 },
    { terminalIds: ids.slice(0, 2), minute: minute - 0.5, minutes: 40 },
    { terminalIds: ids.slice(2, 6), minute: minute + 0.5, minutes: 45 },
  ]
  const first = -(DAYS + 2) * MINUTES_OF_DAY
  const outages = [
    { terminalIds: ids.slice(0, 1), minute: first, minutes: 15 },
    ...around(first + MINUTES_OF_DAY),
    ...drawOutages(random),
  ]
  await importOutages(outages)
  await judgeUntil(server.database, 'a', at(0))
  const expected = await inTenant((db) => rehearseIncidents(db, 'a', at(-(DAYS + 10) * MINUTES_OF_DAY), at(0)))
  const { rows } = await inTenant((db) =>
    sql<{ startedAtMs: number; endedAtMs: number; terminals: number }>`
      select (extract(epoch from started_at) * 1000)::bigint as "startedAtMs",
        (extract(epoch from ended_at) * 1000)::bigint as "endedAtMs", terminal_count as terminals
      from incidents where merged_into is null order by started_at, terminal_count`.execute(db),
  )
  const toFound = ({ startedAtMs, endedAtMs, terminals }: (typeof expected)[number]) => ({
    startedAtMs,
    endedAtMs,
    terminals,
  })
  expect(expected.length).toBeGreaterThan(DAYS / 2)
  expect(expected.filter(({ terminals }) => terminals >= 4).length).toBeGreaterThanOrEqual(DAYS / 4)
  expect(rows).toEqual(
    expected.map(toFound).sort((one, other) => one.startedAtMs - other.startedAtMs || one.terminals - other.terminals),
  )
})
