import { type ShownStatus, statusLabels } from '#contract/shown-status.ts'

const shapes: Record<ShownStatus, string> = { online: '●', offline: '■', disabled: '◆', 'no data': '○' }

/** '● Online' in its color, as HTML: each status has its own shape, as in the app, so that color is never the only cue. */
export const markStatus = (status: ShownStatus) => ({
  html: `<span class="${status.replace(' ', '-')}">${shapes[status]} ${statusLabels[status]}</span>`,
})
