export const alertSeverities = ['critical', 'warning', 'info'] as const
export type AlertSeverity = (typeof alertSeverities)[number]

export interface AlertText {
  title: string
  severity: AlertSeverity
  /** What it means for the users of the terminal. */
  meaning: string
  action: string
}

const askSupport = 'Contact support.'

/** What each alert of the vendor means. An alert that is not listed is shown by its code. */
const texts: Record<string, AlertText> = {
  ethernet_slow_10mbps: {
    title: 'Very slow cable',
    severity: 'warning',
    meaning: 'The cable between dish and router runs at 10 Mbps.',
    action: 'Check the plugs, then replace the cable.',
  },
  ethernet_slow_100mbps: {
    title: 'Slow cable',
    severity: 'warning',
    meaning: 'The cable between dish and router runs at 100 Mbps.',
    action: 'Check the plugs, then replace the cable.',
  },
  power_supply_thermal_throttling: {
    title: 'Power supply is hot',
    severity: 'warning',
    meaning: 'The power supply limits itself, and the service may slow down.',
    action: 'Move the power supply to a cooler place with air around it.',
  },
  actuator_motor_stuck: {
    title: 'Motor is stuck',
    severity: 'critical',
    meaning: 'The dish cannot turn toward the satellites.',
    action: 'Clear ice and obstacles from the dish. If it stays, have it replaced.',
  },
  mast_not_vertical: {
    title: 'Mast is not vertical',
    severity: 'warning',
    meaning: 'The dish is tilted and may lose satellites.',
    action: 'Set the mast upright and tighten it.',
  },
  disabled_no_active_account: {
    title: 'Disabled: no active account',
    severity: 'critical',
    meaning: 'No active service line belongs to this dish.',
    action: askSupport,
  },
  disabled_too_far_from_service_address: {
    title: 'Disabled: too far from its address',
    severity: 'critical',
    meaning: 'The dish is away from its service address, and its plan does not allow that.',
    action: 'Take it back, or contact support about a mobile plan.',
  },
  disabled_no_service_in_ocean: {
    title: 'Disabled: no service at sea',
    severity: 'critical',
    meaning: 'The plan does not cover the ocean.',
    action: 'Return to the coast, or contact support about a maritime plan.',
  },
  disabled_invalid_country: {
    title: 'Disabled: country not covered',
    severity: 'critical',
    meaning: 'The plan does not cover the country where the dish is.',
    action: askSupport,
  },
  moving_while_not_mobile: {
    title: 'Moving without a mobile plan',
    severity: 'warning',
    meaning: 'The dish moves, and its plan is for one place.',
    action: 'Set it up in one place, or contact support about a mobile plan.',
  },
  disabled_moving_too_fast: {
    title: 'Disabled: moving too fast',
    severity: 'critical',
    meaning: 'The dish moves faster than its plan allows.',
    action: 'Slow down, or contact support about another plan.',
  },
  power_disconnect_detected: {
    title: 'Power was lost',
    severity: 'warning',
    meaning: 'The dish lost its power and has started again.',
    action: 'If it repeats, check the plug, the cable and the power source.',
  },
  pop_change: {
    title: 'Entry point changed',
    severity: 'info',
    meaning: 'Traffic reaches the internet through another place, and its addresses may have changed.',
    action: 'Nothing to do.',
  },
  unable_to_align: {
    title: 'Cannot align',
    severity: 'critical',
    meaning: 'The dish cannot point itself at the satellites.',
    action: 'Check that it moves freely and sees the sky.',
  },
  high_sky_obstruction: {
    title: 'Sky is obstructed',
    severity: 'warning',
    meaning: 'Much of the sky is hidden from the dish.',
    action: 'Move the dish higher or away from trees and buildings.',
  },
  high_sky_obstruction_mobile: {
    title: 'Sky is obstructed',
    severity: 'info',
    meaning: 'Much of the sky is hidden where the dish is now.',
    action: 'Move on to open sky.',
  },
  high_time_obstruction: {
    title: 'Often obstructed',
    severity: 'warning',
    meaning: 'Something hides the satellites often enough to interrupt the service.',
    action: 'Move the dish higher or away from trees and buildings.',
  },
  high_time_obstruction_mobile: {
    title: 'Often obstructed',
    severity: 'info',
    meaning: 'Something often hides the satellites where the dish is now.',
    action: 'Move on to open sky.',
  },
  software_update_reboot_pending: {
    title: 'Update waits for a reboot',
    severity: 'info',
    meaning: 'New software is ready. The dish installs it in a quiet hour.',
    action: 'Nothing to do, or reboot at a good time.',
  },
  thermal_shutdown: {
    title: 'Shut down by heat',
    severity: 'critical',
    meaning: 'The dish is too hot and has stopped.',
    action: 'Shade it. It starts again when it has cooled down.',
  },
  thermal_throttling: {
    title: 'Slowed by heat',
    severity: 'warning',
    meaning: 'The dish is hot and works more slowly.',
    action: 'Shade it, or wait until it is cooler.',
  },
  disabled_blocked_country: {
    title: 'Disabled: country blocked',
    severity: 'critical',
    meaning: 'The service is not allowed in the country where the dish is.',
    action: askSupport,
  },
  disabled_data_usage_exceeded_quota: {
    title: 'Disabled: data is used up',
    severity: 'critical',
    meaning: 'The line has used all of its data.',
    action: 'Buy more data, or wait for the next billing cycle.',
  },
  disabled_cell_is_disabled: {
    title: 'Disabled: no service in this area',
    severity: 'critical',
    meaning: 'The vendor has switched off the service where the dish is.',
    action: askSupport,
  },
  disabled_unlicensed_country: {
    title: 'Disabled: country not licensed',
    severity: 'critical',
    meaning: 'The vendor has no license in the country where the dish is.',
    action: askSupport,
  },
  disabled_roam_restricted: {
    title: 'Disabled: roaming is restricted',
    severity: 'critical',
    meaning: 'The plan does not allow roaming where the dish is.',
    action: askSupport,
  },
  disabled_unknown_location: {
    title: 'Disabled: location unknown',
    severity: 'critical',
    meaning: 'The dish does not know where it is.',
    action: 'Give it a clear view of the sky. If it stays, contact support.',
  },
  disabled_account_disabled: {
    title: 'Disabled: account is disabled',
    severity: 'critical',
    meaning: 'The account of this line is disabled.',
    action: askSupport,
  },
  disabled_unsupported_version: {
    title: 'Disabled: software too old',
    severity: 'critical',
    meaning: 'The software of the dish is no longer supported.',
    action: 'Leave it powered under open sky to update, or contact support.',
  },
  data_overage_rate_limited: {
    title: 'Slowed: data is used up',
    severity: 'warning',
    meaning: 'Full-speed data is used up, so the service is slow.',
    action: 'Buy more data, or wait for the next billing cycle.',
  },
}

/** A fault of the dish itself, which explains an outage. */
export const equipmentAlerts: readonly string[] = ['thermal_shutdown', 'actuator_motor_stuck', 'unable_to_align']

export const findAlertText = (alert: string): AlertText | undefined =>
  Object.hasOwn(texts, alert) ? texts[alert] : undefined

/** The title of an alert, or its code when it is unknown. */
export const getAlertTitle = (alert: string): string => findAlertText(alert)?.title ?? alert
