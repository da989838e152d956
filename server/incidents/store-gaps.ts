import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { publishEvents } from '../platform/publish-events.ts'
import { FEED_LATE_MS } from '../telemetry/sweep.ts'
import type { Evidence } from './build-incident.ts'

interface FeedRow {
  credential_id: number
  newest_sample_at: Date
  terminals: number
  open_id: string | null
  /** Losses show that it was the terminals that were silent. */
  has_losses: boolean
}

const listFeeds = async (db: Db, tenantId: string) => {
  const { rows } = await sql<FeedRow>`
    select feed.credential_id, feed.newest_sample_at, incident.id as open_id,
      (select count(*)::integer from terminals as terminal
       where terminal.tenant_id = ${tenantId} and terminal.credential_id = feed.credential_id
         and terminal.removed_at is null) as terminals,
      exists (
        select from terminal_losses as loss
        join terminals as terminal on terminal.tenant_id = loss.tenant_id and terminal.id = loss.terminal_id
        where loss.tenant_id = ${tenantId} and terminal.credential_id = feed.credential_id
          and loss.lost_at >= feed.newest_sample_at) as has_losses
    from vendor_feeds as feed
    left join incidents as incident on incident.tenant_id = feed.tenant_id and incident.cause = 'not observed'
      and incident.ended_at is null and (incident.evidence -> 'credentialId')::bigint = feed.credential_id
    where feed.tenant_id = ${tenantId} and feed.feed = 'telemetry' and feed.newest_sample_at is not null`.execute(db)
  return rows
}

/** Records when a credential's data did not reach us, so that the state of its terminals is unknown. */
export const storeGaps = async (db: Db, tenantId: string, until: Date): Promise<void> => {
  for (const { credential_id, newest_sample_at, terminals, open_id, has_losses } of await listFeeds(db, tenantId)) {
    const isLate = terminals > 0 && until.getTime() - newest_sample_at.getTime() > FEED_LATE_MS && !has_losses
    if (isLate && open_id === null) {
      const nothing = { back: 0, lostPower: 0, signalQuality: null, obstruction: null, alerts: [] }
      const evidence: Evidence & { credentialId: number } = {
        ...nothing,
        observed: terminals,
        credentialId: credential_id,
      }
      const id = randomUUID()
      await db
        .insertInto('incidents')
        .values({
          tenant_id: tenantId,
          id,
          cause: 'not observed',
          reach: 'several',
          confidence: 1,
          started_at: newest_sample_at,
          opened_at: until,
          terminal_count: terminals,
          evidence: JSON.stringify(evidence),
        })
        .execute()
      await publishEvents(db, tenantId, [
        { type: 'incident.opened', at: newest_sample_at, subject: { incidentId: id } },
      ])
    }
    if (!isLate && open_id !== null) {
      await db
        .updateTable('incidents')
        .set({ ended_at: until })
        .where('tenant_id', '=', tenantId)
        .where('id', '=', open_id)
        .execute()
      await publishEvents(db, tenantId, [{ type: 'incident.resolved', at: until, subject: { incidentId: open_id } }])
    }
  }
}
