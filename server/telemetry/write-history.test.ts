import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseTelemetry } from '#starlink/telemetry.ts'
import { type Row, telemetryBody } from './testing/telemetry-body.ts'
import { createTierTruth } from './testing/tier-truth.ts'
import { createTwoFeeds, type TwoFeeds } from './testing/two-feeds.ts'
import { getBucketStart } from './tiers.ts'
import { writeHistory } from './write-history.ts'

const BUCKET_MS = 2 * 3_600_000
const DAY_MS = 86_400_000
const STEP_MS = 120_000

let feeds: TwoFeeds
let truth: ReturnType<typeof createTierTruth>
beforeAll(async () => {
  feeds = await createTwoFeeds()
  truth = createTierTruth(feeds)
})
afterAll(() => feeds.close())

test.each([
  { kind: 'samples', ageMs: 4 * 3_600_000 },
  { kind: 'tiers only', ageMs: 3 * DAY_MS },
])(
  'history written terminal by terminal as $kind is covered when the last is written, and may be repeated',
  async ({ kind, ageMs }) => {
    await truth.clearAll()
    const nowMs = feeds.nowMs.value
    const fromMs = getBucketStart(nowMs - ageMs, BUCKET_MS)
    const terminals = await feeds.rows<{ id: number; device: string }>(
      'alpha',
      'select id, device_id as device from terminals order by id',
    )
    const listRows = (device: string): Row[] =>
      Array.from({ length: 60 }, (_, step) => ({
        device,
        atMs: fromMs + step * STEP_MS,
        downlinkMbps: step,
        pingDrop: 0,
        latencyMs: step % 3 === 0 ? null : 40,
      }))
    const write = (terminal: (typeof terminals)[number], isLast: boolean) =>
      writeHistory(feeds.database, {
        feed: feeds.alpha,
        terminals: [
          { terminalId: terminal.id, samples: parseTelemetry(telemetryBody(listRows(terminal.device))).terminals },
        ],
        isLast,
        fromMs,
        toMs: fromMs + BUCKET_MS,
        stepMs: STEP_MS,
        samplesFromMs: kind === 'samples' ? fromMs : nowMs,
        nowMs,
      })
    const countCovered = async () => (await feeds.rows('alpha', 'select from feed_coverage')).length

    await write(terminals[0] as (typeof terminals)[number], false)
    expect(await countCovered()).toBe(0)
    // An interruption in the middle: all are written again.
    for (const [index, terminal] of terminals.entries()) await write(terminal, index === terminals.length - 1)
    expect(await countCovered()).toBe(1)
    await truth.closeAll('alpha')
    await truth.expectTruth(
      'alpha',
      terminals.flatMap(({ device }) => listRows(device)),
    )
    expect(await feeds.rows('beta', 'select from tier_2h')).toEqual([])
  },
)
