import { type BulkKind, type BulkProgress, rebootsPerMinute } from '#contract/bulk.ts'
import { formatLength } from '#contract/format/durations.ts'
import { formatCount, formatCounted } from '#contract/format/numbers.ts'

interface KindWords {
  title: string
  /** The label of the button: 'Change 63 terminals'. */
  action: string
  /** The result: '63 terminals changed'. */
  done: string
  /** The text for a line without a value; absent if lines have no values. */
  nothing?: string
}

export const kindWords: Record<BulkKind, KindWords> = {
  metadata: { title: 'Set metadata', action: 'Change', done: 'changed', nothing: '-' },
  pool: { title: 'Change data pool', action: 'Change', done: 'changed', nothing: 'no pool' },
  notifications: { title: 'Notifications', action: 'Change', done: 'changed', nothing: '-' },
  reboot: { title: 'Reboot terminals', action: 'Reboot', done: 'rebooted' },
}

/** 'about 2 min at 40 a minute'. */
const describePace = (count: number) =>
  `about ${formatLength(Math.ceil((count / rebootsPerMinute) * 60))} at ${formatCount(rebootsPerMinute)} a minute`

const join = (sentences: readonly (string | false)[]) => sentences.filter(Boolean).join(' ')

export const describePreview = (
  kind: BulkKind,
  { changing, unchanged, failed }: { changing: number; unchanged: number; failed: number },
) => {
  const subject = formatCounted(changing, 'terminal')
  return join([
    kind === 'reboot' && changing > 1
      ? `${subject} will reboot one after the other, ${describePace(changing)}. Each has no service for some minutes.`
      : kind === 'reboot' && changing === 1
        ? `${subject} will reboot. It has no service for some minutes.`
        : `${subject} will ${kindWords[kind].action.toLowerCase()}.`,
    unchanged > 0 && `${formatCount(unchanged)} ${unchanged === 1 ? 'has' : 'have'} this value already.`,
    failed > 0 && `${formatCount(failed)} cannot.`,
  ])
}

export const describeProgress = ({ state, problem, counts, isUndo, kind }: BulkProgress) =>
  join([
    `${formatCounted(counts.done, 'terminal')} ${isUndo ? 'restored' : kindWords[kind].done}.`,
    counts.unchanged > 0 && `${formatCount(counts.unchanged)} had the value already.`,
    counts.failed > 0 && `${formatCount(counts.failed)} failed.`,
    state === 'running' &&
      `${formatCount(counts.waiting)} to go${kind === 'reboot' ? `, ${describePace(counts.waiting)}` : ''}.`,
    state === 'stopped' &&
      `${problem ?? 'It was stopped.'} ${formatCounted(counts.waiting, 'terminal')} stayed as ${counts.waiting === 1 ? 'it was' : 'they were'}.`,
  ])
