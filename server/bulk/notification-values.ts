import { findSettings } from '../profile/settings-row.ts'
import { subscribeLines } from '../profile/subscribe-lines.ts'
import type { LineValues } from './line-values.ts'

/** Whether the user is notified about a line: 'on' or 'off'. */
export const notificationValues: LineValues = {
  read: async (db, { tenantId, userId }, lineIds) => {
    const { selected_line_ids } = await findSettings(db, tenantId, userId)
    const selected = new Set(selected_line_ids.map(Number))
    return new Map(lineIds.map((id) => [id, selected.has(id) ? 'on' : 'off']))
  },
  write: async (db, performer, changes) => {
    const pick = (value: string) => changes.filter(({ desired }) => desired === value).map(({ lineId }) => lineId)
    await subscribeLines(db, performer, { added: pick('on'), removed: pick('off') })
    return new Map()
  },
  action: 'profile.line_notifications',
  describe: (value) => ({ notifications: value === 'on' }),
}
