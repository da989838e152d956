import type { serviceLines } from '#contract/service-lines.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { setMetadata } from './set-metadata.ts'

export const serviceLineHandlers: Handlers<typeof serviceLines> = { setMetadata }
