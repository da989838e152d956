import type { terminalDetail } from '#contract/terminal-detail.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { downloadPerformance } from './download.ts'
import { getDetail } from './get-detail.ts'

export const terminalDetailHandlers: Handlers<typeof terminalDetail> = {
  get: getDetail,
  read: getDetail,
  download: downloadPerformance,
}
