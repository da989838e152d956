import { expect, test } from 'vitest'
import { DELAYED_AFTER_MS } from '#contract/terminal-status.ts'
import { getFreshness, isStale } from './freshness.ts'
import { type Feed, unknownFeed } from './live.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const live = (ageMs: number): Feed => ({ state: 'live', newestAtMs: NOW - ageMs, pausedAtMs: null })

test.each<[string, Feed, number | null, string, number | undefined]>([
  ['a stream that is opening', unknownFeed, null, 'connecting', undefined],
  ['a fresh sample', live(20_000), null, 'live', undefined],
  ['no sample at all', { ...unknownFeed, state: 'live' }, null, 'waiting', undefined],
  ['a sample as old as allowed', live(DELAYED_AFTER_MS), null, 'live', undefined],
  ['an older sample', live(DELAYED_AFTER_MS + 1), null, 'delayed', undefined],
  ['an old list while the stream is opening', { ...live(3_600_000), state: 'connecting' }, null, 'delayed', undefined],
  ['a broken stream', { ...live(0), state: 'paused', pausedAtMs: NOW - 9_000 }, null, 'disconnected', NOW - 9_000],
  ['a browser without network', live(0), NOW - 1_000, 'disconnected', NOW - 1_000],
  [
    'a broken stream, then no network',
    { ...live(0), state: 'paused', pausedAtMs: NOW - 9_000 },
    NOW - 1_000,
    'disconnected',
    NOW - 9_000,
  ],
])('%s', (_case, feed, offlineSinceMs, state, sinceMs) => {
  const freshness = getFreshness(feed, offlineSinceMs, NOW)
  expect(freshness.state).toBe(state)
  expect('sinceMs' in freshness ? freshness.sinceMs : undefined).toBe(sinceMs)
  expect(isStale(freshness)).toBe(state === 'delayed' || state === 'disconnected')
})
