import { recordAudit } from '../audit/record.ts'
import type { Db } from '../platform/database/database.ts'
import { assertFence } from '../platform/worker/fence.ts'
import type { Job } from '../platform/worker/queues.ts'
import { findBulk, type StoredBulk } from './change-rows.ts'
import { endBulk } from './end-bulk.ts'
import { listWaiting, type Outcome, settleLines, type WaitingLine } from './line-rows.ts'
import { createNaming, type LineValues, type Performer, readLines } from './line-values.ts'
import type { RightsTransaction } from './rights.ts'

/** Lines per transaction: few, because a change of the user's permissions waits for it. */
const LINES_PER_STEP = 20

const NOT_YOURS = 'You are not authorized to view this terminal.'

interface Step {
  bulk: StoredBulk
  values: LineValues
  performer: Performer
}

const changeLines = async (db: Db, { bulk, values, performer }: Step, waiting: readonly WaitingLine[]) => {
  const { tenantId, user, now } = performer
  const lineIds = waiting.map(({ lineId }) => lineId)
  const lines = await readLines(db, tenantId, lineIds, true)
  const current = await values.read(db, performer, lineIds)
  const findObstacle = ({ lineId, desired, expected }: WaitingLine): Omit<Outcome, 'position'> | undefined => {
    const before = current.get(lineId) ?? null
    if (!lines.has(lineId)) return { state: 'failed', problem: NOT_YOURS }
    if (bulk.undoOf !== null && before !== expected)
      return { state: 'failed', before, problem: 'It was changed since.' }
    if (before === desired) return { state: 'unchanged', before }
    const problem = values.findProblem?.({ before, desired })
    return problem === undefined ? undefined : { state: 'failed', before, problem }
  }
  const obstacles = new Map(waiting.map((step) => [step.position, findObstacle(step)]))
  const changes = waiting
    .filter(({ position }) => !obstacles.get(position))
    .map(({ lineId, desired }) => ({ lineId, desired, before: current.get(lineId) ?? null }))
  const problems = await values.write(db, performer, changes)
  const show = await createNaming(
    db,
    tenantId,
    values,
    changes.flatMap(({ before, desired }) => [before, desired]),
  )
  for (const { lineId, before, desired } of changes)
    if (!problems.has(lineId))
      await recordAudit(db, tenantId, now, {
        performer: user.email,
        action: values.action,
        performee: lines.get(lineId)?.number ?? '',
        details: { before: values.describe(show(before)), after: values.describe(show(desired)), bulk: bulk.id },
      })
  return waiting.map(({ position, lineId }): Outcome => {
    const before = current.get(lineId) ?? null
    const problem = problems.get(lineId)
    return {
      position,
      ...(obstacles.get(position) ?? (problem ? { state: 'failed', before, problem } : { state: 'done', before })),
    }
  })
}

/** Changes the next lines in one transaction. */
export const changeNext = (
  transaction: RightsTransaction,
  job: Job,
  { id, userId }: StoredBulk,
  values: LineValues,
  now: () => Date,
) =>
  transaction(async (db, _, user): Promise<'more' | 'finished'> => {
    const { tenantId } = job
    await assertFence(db, job)
    const bulk = await findBulk(db, tenantId, id, { lock: true })
    if (bulk?.state !== 'running') return 'finished'
    const waiting = await listWaiting(db, tenantId, id, LINES_PER_STEP)
    const performer = { tenantId, userId, user, now: now() }
    await settleLines(db, tenantId, id, await changeLines(db, { bulk, values, performer }, waiting))
    if (waiting.length === LINES_PER_STEP) return 'more'
    await endBulk(db, tenantId, id, performer.now, { state: 'finished' })
    return 'finished'
  })
