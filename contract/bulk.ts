import * as z from 'zod/mini'
import { Done, NoInput } from './basic-bodies.ts'
import { moment, id as poolId } from './codecs.ts'
import { formatCount } from './format/numbers.ts'
import { route } from './route.ts'
import { lineText, MetadataField, metadataMaxLength } from './service-lines.ts'
import { choice, textLike, uuid } from './text.ts'

/** The most terminals in one change. */
export const maxBulkTerminals = 10_000

/** Below the commands' share of the vendor's rate limit, so that users can still send single commands. */
export const rebootsPerMinute = 40

const bulkKinds = ['metadata', 'pool', 'notifications', 'reboot'] as const
export type BulkKind = (typeof bulkKinds)[number]

/** Terminal ids, as in the lists. */
const terminals = z
  .array(textLike(20, /^\d{1,15}(\.\d{1,3})?$/, 'This is not a valid id.'))
  .check(
    z.minLength(1, 'Please select terminals.'),
    z.maxLength(maxBulkTerminals, `Please select at most ${formatCount(maxBulkTerminals)} terminals.`),
  )

/** What is done to each terminal. */
const Change = z.union([
  z.strictObject({ kind: choice(['metadata']), field: MetadataField, value: lineText(metadataMaxLength) }),
  /** Moves lines into a pool; null removes them from theirs. */
  z.strictObject({ kind: choice(['pool']), poolId: z.nullable(poolId) }),
  /** Whether the caller is notified about them. */
  z.strictObject({ kind: choice(['notifications']), isOn: z.boolean('Please send true or false.') }),
  z.strictObject({ kind: choice(['reboot']) }),
])
export type Change = z.output<typeof Change>

const BulkChange = z.strictObject({ terminals, change: Change })
export type BulkChange = z.output<typeof BulkChange>

const textOrNull = z.nullable(z.string())

const PreviewLine = z.object({ name: z.string(), before: textOrNull, after: textOrNull, problem: textOrNull })
export type PreviewLine = z.output<typeof PreviewLine>

export const bulkLineStates = ['waiting', 'done', 'unchanged', 'failed'] as const
export type BulkLineState = (typeof bulkLineStates)[number]

export const bulkStates = ['running', 'finished', 'stopped'] as const

/** The most lines that a call returns; failed ones come first. */
export const maxShownLines = 200

const BulkProgress = z.object({
  id: z.string(),
  kind: z.enum(bulkKinds),
  isUndo: z.boolean(),
  state: z.enum(bulkStates),
  /** Why it stopped. */
  problem: textOrNull,
  startedAt: moment,
  counts: z.object({ waiting: z.number(), done: z.number(), unchanged: z.number(), failed: z.number() }),
  lines: z.array(z.object({ ...PreviewLine.shape, state: z.enum(bulkLineStates) })),
  /** Whether its lines can be restored to their earlier values. */
  canUndo: z.boolean(),
})
export type BulkProgress = z.output<typeof BulkProgress>

const id = uuid('This is not a valid id.')
const maxBodyBytes = 256 * 1024

export const bulk = {
  preview: route({
    method: 'POST',
    path: '/bulk-preview/',
    access: 'user',
    summary: 'What a change of many terminals would do to each, with the reasons why some cannot change',
    input: BulkChange,
    output: z.object({
      counts: z.object({ changing: z.number(), unchanged: z.number(), failed: z.number() }),
      lines: z.array(PreviewLine),
    }),
    maxBodyBytes,
    writes: false,
  }),
  start: route({
    method: 'POST',
    path: '/bulk-changes/',
    access: 'user',
    summary: 'Changes many terminals in the background, one after the other, with the rights that the caller has then',
    input: BulkChange,
    output: z.object({ id: z.string() }),
    maxBodyBytes,
    isIdempotentByKey: true,
  }),
  list: route({
    method: 'GET',
    path: '/bulk-changes/',
    access: 'user',
    summary: 'The last changes of many terminals that the caller has started, newest first, without their lines',
    input: NoInput,
    output: z.object({ changes: z.array(BulkProgress) }),
  }),
  get: route({
    method: 'GET',
    path: '/bulk-changes/:id/',
    access: 'user',
    summary: 'How far a change of many terminals is, with the lines that failed, then the newest',
    input: z.strictObject({ id }),
    output: BulkProgress,
  }),
  stop: route({
    method: 'POST',
    path: '/bulk-changes/:id/stop/',
    access: 'user',
    summary: 'Ends a change of many terminals; what is done stays',
    input: z.strictObject({ id }),
    output: Done,
  }),
  undo: route({
    method: 'POST',
    path: '/bulk-changes/:id/undo/',
    access: 'user',
    summary: 'Gives the lines of a change their earlier values back, where nobody has changed them since',
    input: z.strictObject({ id }),
    output: z.object({ id: z.string() }),
  }),
}
