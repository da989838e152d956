import { getMeasureIndex, type TerminalMeasure } from '#starlink/telemetry-measures.ts'
import type { TerminalSample } from '#starlink/telemetry-terminal.ts'
import type { Db } from '../platform/database/database.ts'
import type { PastLoss } from '../telemetry/past-status.ts'
import { writeLosses } from './collect-losses.ts'
import type { Loss, Report } from './loss.ts'

const readMeasure = ({ values }: TerminalSample, name: TerminalMeasure): number | null => {
  const value = values[getMeasureIndex(name)]
  return value === undefined || Number.isNaN(value) ? null : value
}

const toReport = (sample: TerminalSample): Report => ({
  alerts: sample.alerts.toSorted(),
  signalQuality: readMeasure(sample, 'signalQuality'),
  obstruction: readMeasure(sample, 'obstruction'),
  softwareVersion: sample.softwareVersion,
})

type Facts = Pick<Loss, 'cell' | 'before' | 'lostPingsFirst' | 'after' | 'rebootRequestedAtMs'>

const toFacts = ({ before, after }: PastLoss): Facts => ({
  cell: before?.h3Cell ?? null,
  before: before ? toReport(before) : null,
  lostPingsFirst: before !== undefined && (readMeasure(before, 'pingDrop') ?? 0) >= 1,
  after: after
    ? { ...toReport(after), bootedAtMs: after.uptimeS === null ? null : after.atMs - after.uptimeS * 1000 }
    : null,
  rebootRequestedAtMs: null,
})

/** Records what rows of the past show about losses. The rows are not stored, so it could not be read later. */
export const recordPastLosses = (db: Db, tenantId: string, losses: readonly PastLoss[]) =>
  writeLosses(
    db,
    tenantId,
    losses.map((loss) => ({ ...loss, facts: { ...toFacts(loss), isImported: true } })),
  )
