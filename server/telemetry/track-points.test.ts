import { cellToLatLng, latLngToCell } from 'h3-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { telemetryBody } from './testing/telemetry-body.ts'
import { createTwoFeeds, type TwoFeeds } from './testing/two-feeds.ts'

const HOUR_MS = 3_600_000

let feeds: TwoFeeds
beforeAll(async () => {
  feeds = await createTwoFeeds()
})
afterAll(() => feeds.close())

const cellAt = (longitude: number) => latLngToCell(57, longitude, 5)
const row = (device: string, atMs: number, longitude: number) => ({
  device,
  atMs,
  h3Cell: BigInt(`0x${cellAt(longitude)}`).toString(),
})

const listTrack = async (tenantId: string) =>
  (
    await feeds.rows<{ device_id: string; h3_cell: string }>(
      tenantId,
      'select device_id, h3_cell from track_points join terminals on terminals.id = terminal_id order by device_id, at',
    )
  ).map(({ device_id, h3_cell }) => `${device_id} ${Math.round(cellToLatLng(h3_cell)[1])}`)

test('each cell that a terminal comes into is recorded for a day, in its tenant only', async () => {
  const t0 = feeds.nowMs.value - 26 * HOUR_MS
  const travel = [0, 1, 1, 2].map((step, at) => row('one', t0 + at * 15_000, -150 - step))
  await feeds.receive(feeds.alpha, telemetryBody([row('one', t0 - 15_000, -150), row('two', t0, -140)]))
  await feeds.receive(feeds.alpha, telemetryBody([...travel, row('two', t0 + 30_000, -140)]))
  // A stationary terminal has no track.
  expect(await listTrack('alpha')).toEqual(['one -151', 'one -152'])
  expect(await listTrack('beta')).toEqual([])

  await feeds.receive(feeds.alpha, telemetryBody([row('one', t0 + 25 * HOUR_MS, -153)]))
  expect(await listTrack('alpha')).toEqual(['one -153'])
})
