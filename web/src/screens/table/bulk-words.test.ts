import { expect, test } from 'vitest'
import type { BulkProgress } from '#contract/bulk.ts'
import { describePreview, describeProgress } from './bulk-words.ts'

test('a preview of reboots says how long they take', () => {
  expect(describePreview('reboot', { changing: 600, unchanged: 0, failed: 2 })).toBe(
    '600 terminals will reboot one after the other, about 15 min at 40 a minute. Each has no service for some minutes. 2 cannot.',
  )
  expect(describePreview('reboot', { changing: 1, unchanged: 0, failed: 0 })).toBe(
    '1 terminal will reboot. It has no service for some minutes.',
  )
  expect(describePreview('reboot', { changing: 10_000, unchanged: 0, failed: 0 })).toContain('about 4 h 10 min at')
})

test('a preview of values counts those that stay', () => {
  expect(describePreview('metadata', { changing: 1, unchanged: 1, failed: 0 })).toBe(
    '1 terminal will change. 1 has this value already.',
  )
})

const progress: BulkProgress = {
  id: '',
  kind: 'metadata',
  isUndo: false,
  state: 'finished',
  problem: null,
  startedAt: new Date(0),
  lines: [],
  counts: { waiting: 0, done: 61, unchanged: 0, failed: 2 },
  canUndo: true,
}

test('progress says what was done, what failed and what is left', () => {
  expect(describeProgress(progress)).toBe('61 terminals changed. 2 failed.')
  expect(describeProgress({ ...progress, isUndo: true })).toBe('61 terminals restored. 2 failed.')
  const running = {
    ...progress,
    state: 'running',
    kind: 'reboot',
    counts: { ...progress.counts, waiting: 80 },
  } as const
  expect(describeProgress(running)).toBe('61 terminals rebooted. 2 failed. 80 to go, about 2 min at 40 a minute.')
  const stopped = { ...progress, state: 'stopped', problem: 'You have stopped it.' } as const
  expect(describeProgress({ ...stopped, counts: { waiting: 1, done: 0, unchanged: 0, failed: 0 } })).toBe(
    '0 terminals changed. You have stopped it. 1 terminal stayed as it was.',
  )
})
