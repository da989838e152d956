import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseTelemetry } from '#starlink/telemetry.ts'
import { type Row, telemetryBody } from './testing/telemetry-body.ts'
import { createTwoFeeds, type TwoFeeds } from './testing/two-feeds.ts'
import { writeHistory } from './write-history.ts'

const S = 1000
const MIN = 60 * S
const HOUR = 60 * MIN

let feeds: TwoFeeds
let beganMs: number
let terminalIds: Map<string, number>

beforeAll(async () => {
  feeds = await createTwoFeeds()
  beganMs = Math.floor(feeds.nowMs.value / (2 * HOUR)) * 2 * HOUR
  const rows = await feeds.rows<{ id: number; device_id: string }>('alpha', 'select id, device_id from terminals')
  terminalIds = new Map(rows.map(({ id, device_id }) => [device_id, id]))
})
afterAll(() => feeds.close())

const every = (device: string, stepMs: number, fromMs: number, toMs: number, given: Partial<Row> = {}): Row[] => {
  const rows: Row[] = []
  for (let atMs = fromMs; atMs < toMs; atMs += stepMs)
    rows.push({ device, atMs, downlinkMbps: 5, latencyMs: 40, ...given })
  return rows
}

const writePiece = async (hoursAgo: [number, number], stepMs: number, rows: readonly Row[]) => {
  const [fromMs, toMs] = hoursAgo.map((hours) => beganMs - hours * HOUR) as [number, number]
  const samples = parseTelemetry(telemetryBody(rows.filter(({ atMs }) => atMs >= fromMs && atMs < toMs))).terminals
  await writeHistory(feeds.database, {
    feed: feeds.alpha,
    terminals: [...terminalIds].map(([device, terminalId]) => ({
      terminalId,
      samples: samples.filter(({ deviceId }) => deviceId === device),
    })),
    isLast: true,
    fromMs,
    toMs,
    stepMs,
    samplesFromMs: beganMs - 12 * HOUR,
    nowMs: beganMs,
  })
}

const listIntervals = async (device: string) =>
  (
    await feeds.rows<{ started_at: Date; ended_at: Date | null; status: string }>(
      'alpha',
      `select started_at, ended_at, status from status_intervals
       where terminal_id = ${terminalIds.get(device)} order by started_at`,
    )
  ).map(({ started_at, ended_at, status }) => [
    status,
    (started_at.getTime() - beganMs) / MIN,
    ended_at && (ended_at.getTime() - beganMs) / MIN,
  ])

test('history gives the last values and the status of what came before the account was connected', async () => {
  // The live feed knows only the first terminal.
  await feeds.receive(feeds.alpha, telemetryBody(every('one', 15 * S, beganMs, beganMs + MIN, { downlinkMbps: 9 })))
  const past = [
    ...every('one', 5 * MIN, beganMs - 60 * HOUR, beganMs - 40 * HOUR),
    ...every('one', 5 * MIN, beganMs - 38 * HOUR, beganMs),
    ...every('two', 5 * MIN, beganMs - 60 * HOUR, beganMs - 6 * HOUR, { downlinkMbps: 7 }),
    ...every('three', 5 * MIN, beganMs - 60 * HOUR, beganMs - 50 * HOUR, { downlinkMbps: 3 }),
  ]
  for (const piece of [
    [2, 0],
    [12, 2],
    [36, 12],
    [60, 36],
  ] as const) {
    const [from, to] = piece
    await writePiece([from, to], 5 * MIN, past)
    // As after a crash between the status and the samples of a piece.
    await writePiece([from, to], 5 * MIN, past)
  }

  expect(await listIntervals('one')).toEqual([
    ['online', -60 * 60, -40 * 60],
    // A terminal is online again after two rows.
    ['offline', -40 * 60, -38 * 60 + 5],
    ['online', -38 * 60 + 5, null],
  ])
  expect(await listIntervals('two')).toEqual([
    ['online', -60 * 60, -6 * 60],
    ['offline', -6 * 60, null],
  ])
  expect(await listIntervals('three')).toEqual([
    ['online', -60 * 60, -50 * 60],
    ['offline', -50 * 60, -50 * 60 - 5 + 24 * 60],
    ['no data', -50 * 60 - 5 + 24 * 60, null],
  ])

  // It is not reported as if it had only just happened.
  expect(await feeds.rows('alpha', 'select * from status_intervals where noted_at <> started_at')).toEqual([])

  const newest = await feeds.rows<{ device_id: string; at: Date; downlink_mbps: number }>(
    'alpha',
    'select device_id, at, downlink_mbps from latest join terminals on terminals.id = latest.terminal_id order by at desc',
  )
  expect(
    newest.map(({ device_id, at, downlink_mbps }) => [device_id, (at.getTime() - beganMs) / MIN, downlink_mbps]),
  ).toEqual([
    ['one', 0.75, 9],
    ['two', -6 * 60 - 5, 7],
    ['three', -50 * 60 - 5, 3],
  ])
  expect(await feeds.rows('beta', 'select * from status_intervals')).toEqual([])
})

test('the live feed continues from the history', async () => {
  feeds.nowMs.value = beganMs + 10 * MIN
  await feeds.receive(feeds.alpha, telemetryBody(every('two', 15 * S, beganMs + 9 * MIN, beganMs + 10 * MIN)))
  expect(await listIntervals('two')).toEqual([
    ['online', -60 * 60, -6 * 60],
    ['offline', -6 * 60, 9.25],
    ['online', 9.25, null],
  ])
})
