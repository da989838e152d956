import { type ShownStatus, statusLabels } from '#contract/shown-status.ts'

const shapes: Record<ShownStatus, string> = { online: '●', offline: '■', disabled: '◆', 'no data': '○' }

/** '● Online': each status has its own shape, as in the app, so that color is never the only cue. */
export const markStatus = (status: ShownStatus) => `${shapes[status]} ${statusLabels[status]}`
