import type { bulk } from '#contract/bulk.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { previewChange } from './preview.ts'
import { getProgress, listProgress } from './progress.ts'
import { startChange, undoChange } from './start.ts'
import { stopChange } from './stop.ts'

export const bulkHandlers: Handlers<typeof bulk> = {
  preview: previewChange,
  start: startChange,
  list: listProgress,
  get: getProgress,
  stop: stopChange,
  undo: undoChange,
}
