import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { enqueue } from '../platform/worker/enqueue.ts'

interface Subscriber {
  tenantId: string
  userId: number
}

interface Subscription {
  added: readonly number[]
  removed: readonly number[]
}

/** Adds and removes lines that a user is notified about. */
export const subscribeLines = async (db: Db, { tenantId, userId }: Subscriber, { added, removed }: Subscription) => {
  await sql`
    insert into notification_settings as settings (tenant_id, user_id, selected_line_ids)
    values (${tenantId}, ${userId}, ${added}::bigint[])
    on conflict (tenant_id, user_id) do update set selected_line_ids = array(
      (select unnest(settings.selected_line_ids) union select unnest(${added}::bigint[]))
      except select unnest(${removed}::bigint[]) order by 1)`.execute(db)
  // Notifications start or stop with the events from now on.
  await enqueue(db, 'notifications', tenantId)
}
