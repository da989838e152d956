import { equipmentAlerts } from '#contract/alerts.ts'
import type { IncidentCause } from '#contract/incident-cause.ts'
import type { Loss } from './loss.ts'

const MINUTE_MS = 60_000
const UPDATE_TAKES_AT_MOST_MS = 20 * MINUTE_MS
const REBOOT_BEGINS_WITHIN_MS = 10 * MINUTE_MS
const REBOOT_TAKES_AT_MOST_MS = 30 * MINUTE_MS
const RESTART_TAKES_AT_MOST_MS = 6 * MINUTE_MS
/** A loss is dated by the first missing row, so it can be later than its cause. */
const SLACK_MS = MINUTE_MS
const POOR_SIGNAL = 0.65
/** Many dishes have a tree in view, which takes up to 15 % and a little more on some days; that does not explain an outage. */
const OFTEN_OBSTRUCTED = 0.18

export interface OwnCause {
  cause: IncidentCause
  confidence: number
  /** Why it restarted, if that was planned. */
  restart?: 'reboot' | 'update'
}

const QUOTA_ALERT = 'disabled_data_usage_exceeded_quota'

const has = (alerts: readonly string[] | undefined, ...wanted: string[]) =>
  alerts?.some((alert) => wanted.includes(alert)) ?? false

const hasRestarted = ({ after, lostAtMs }: Loss) => after?.bootedAtMs != null && after.bootedAtMs >= lostAtMs - SLACK_MS

export const hasLostPower = ({ after }: Loss) => has(after?.alerts, 'power_disconnect_detected')

const getLengthMs = ({ lostAtMs, backAtMs }: Loss, atMs: number) => (backAtMs ?? atMs) - lostAtMs

const isUpdate = (loss: Loss, atMs: number) => {
  const { before, after } = loss
  if (getLengthMs(loss, atMs) > UPDATE_TAKES_AT_MOST_MS) return false
  if (after) return before?.softwareVersion != null && after.softwareVersion !== before.softwareVersion
  return has(before?.alerts, 'software_update_reboot_pending')
}

const isRequestedReboot = (loss: Loss, atMs: number) => {
  const { rebootRequestedAtMs, lostAtMs } = loss
  if (rebootRequestedAtMs === null || getLengthMs(loss, atMs) > REBOOT_TAKES_AT_MOST_MS) return false
  return rebootRequestedAtMs <= lostAtMs + SLACK_MS && rebootRequestedAtMs >= lostAtMs - REBOOT_BEGINS_WITHIN_MS
}

/** Why it restarted, if that was planned. */
export const findRestart = (loss: Loss, atMs: number): 'reboot' | 'update' | null => {
  if (loss.isDisabled || isMaintenance(loss, atMs)) return null
  if (isRequestedReboot(loss, atMs)) return 'reboot'
  return isUpdate(loss, atMs) ? 'update' : null
}

/** It began in a maintenance window and did not outlast it. */
export const isMaintenance = ({ window, backAtMs }: Loss, atMs: number) =>
  window != null && (backAtMs ?? atMs) <= window.endMs

/** After this time, an ongoing loss does not count as planned. */
export const getPlannedLimitMs = ({ rebootRequestedAtMs, lostAtMs, window }: Loss, atMs: number) =>
  window != null && window.endMs >= atMs
    ? window.endMs + 1
    : lostAtMs + (rebootRequestedAtMs === null ? UPDATE_TAKES_AT_MOST_MS : REBOOT_TAKES_AT_MOST_MS) + 1

/** The cause of a loss that is certain regardless of other losses. */
export const findCertainCause = (loss: Loss, atMs: number): OwnCause | null => {
  if (isMaintenance(loss, atMs)) return { cause: 'planned', confidence: 1 }
  if (loss.isDisabled) {
    const alerts = [...(loss.before?.alerts ?? []), ...(loss.after?.alerts ?? [])]
    return { cause: has(alerts, QUOTA_ALERT) ? 'quota' : 'disabled', confidence: 1 }
  }
  const restart = findRestart(loss, atMs)
  return restart && { cause: 'planned', confidence: restart === 'reboot' || loss.after ? 0.95 : 0.8, restart }
}

/** The cause of an isolated loss. `onlineNearby` neighboring terminals are working. */
export const findOwnCause = (loss: Loss, atMs: number, onlineNearby: number): OwnCause => {
  const { before, after, lostPingsFirst } = loss
  if (hasLostPower(loss)) return { cause: 'power', confidence: 0.95 }
  if (hasRestarted(loss)) {
    const isShort = getLengthMs(loss, atMs) <= RESTART_TAKES_AT_MOST_MS
    return isShort ? { cause: 'restart', confidence: 0.9 } : { cause: 'power', confidence: 0.8 }
  }
  if (has(before?.alerts, ...equipmentAlerts)) return { cause: 'equipment', confidence: 0.85 }
  const isBlocked = (before?.signalQuality ?? 1) < POOR_SIGNAL || (before?.obstruction ?? 0) >= OFTEN_OBSTRUCTED
  if (isBlocked) return { cause: 'obstruction', confidence: after ? 0.85 : 0.7 }
  // A dish that recovers without a restart had power all the time.
  const hadPower = after?.bootedAtMs != null
  if (lostPingsFirst) return { cause: 'network', confidence: hadPower ? 0.8 : 0.7 }
  if (hadPower) return { cause: 'unknown', confidence: 0.5 }
  return onlineNearby > 0 ? { cause: 'power', confidence: 0.6 } : { cause: 'unknown', confidence: 0.5 }
}
