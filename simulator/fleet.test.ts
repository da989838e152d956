import { cellToLatLng } from 'h3-js'
import { expect, test } from 'vitest'
import { createChanges } from './changes.ts'
import { buildFleet } from './fleet.ts'
import { getPresence } from './presence.ts'
import { readTerminal } from './reading.ts'
import { getPosition } from './routes.ts'
import { getCell } from './rows.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOVEMBER = Date.UTC(2026, 10, 12, 20)
const JULY = Date.UTC(2026, 6, 14, 20)
const noChanges = createChanges()

const readAll = (seed: number, terminals: number, atMs: number) => {
  const fleet = buildFleet(seed, [terminals])
  return fleet.terminals.map((terminal) => readTerminal(fleet, noChanges, terminal, atMs))
}

test('the same seed and time give the same readings in any order of calls', () => {
  const fleet = buildFleet(7, [40])
  const backwards = [...fleet.terminals].reverse().map((terminal) => {
    readTerminal(fleet, noChanges, terminal, NOVEMBER + HOUR_MS)
    return readTerminal(fleet, noChanges, terminal, NOVEMBER)
  })
  expect(backwards.reverse()).toEqual(readAll(7, 40, NOVEMBER))
  expect(readAll(8, 40, NOVEMBER)).not.toEqual(readAll(7, 40, NOVEMBER))
})

test.each([60, 300, 2_000])('a fleet of %d has the documented shares of online, offline and disabled', (total) => {
  for (const atMs of [NOVEMBER, NOVEMBER + 40 * HOUR_MS, NOVEMBER + 90 * HOUR_MS]) {
    const readings = readAll(1, total, atMs)
    const isDisabled = (alert: string) => alert.startsWith('disabled')
    const disabled = readings.filter((reading) => reading?.alerts.some(isDisabled)).length / total
    const silent = readings.filter((reading) => reading === null).length / total
    expect(disabled).toBeGreaterThanOrEqual(0.02)
    expect(disabled).toBeLessThanOrEqual(0.04)
    expect(1 - disabled - silent).toBeGreaterThanOrEqual(0.86)
    expect(1 - disabled - silent).toBeLessThanOrEqual(0.94)
  }
})

test.each([60, 300, 2_000])('of %d terminals, 3 to 6 percent are offline at any time without an outage', (total) => {
  const fleet = buildFleet(1959, [total, 30])
  const [account] = fleet.accounts
  const ordinary = (account?.terminals ?? []).filter(({ role }) => role === 'ordinary')
  let quiet = 0
  for (let atMs = NOVEMBER; atMs < NOVEMBER + 12 * DAY_MS; atMs += 7 * HOUR_MS) {
    const silentMs = ordinary.flatMap((terminal) => {
      const presence = getPresence(fleet, noChanges, terminal, atMs)
      return presence.reports ? [] : [atMs - presence.sinceMs]
    })
    // A day of silence would be shown as no data.
    expect(silentMs.every((ms) => ms < DAY_MS)).toBe(true)
    const share = silentMs.filter((ms) => ms >= 180_000).length / total
    expect(share).toBeGreaterThanOrEqual(0.03)
    if (share <= 0.06) quiet++
  }
  expect(quiet).toBeGreaterThan(30)
})

test('every id and nickname is unique, and each line is in its account', () => {
  const fleet = buildFleet(3, [900, 400])
  const ids = fleet.terminals.flatMap(({ terminalId, kitSerial, dishSerial, routerIds }) => [
    terminalId,
    kitSerial,
    dishSerial,
    ...routerIds,
  ])
  const lines = fleet.accounts.flatMap((account) => account.lines)
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(lines.map(({ number }) => number)).size).toBe(lines.length)
  expect(new Set(lines.map(({ nickname }) => nickname)).size).toBe(lines.length)
  expect(new Set(lines.map(({ addressId }) => addressId)).size).toBe(lines.length)
  for (const account of fleet.accounts) for (const line of account.lines) expect(line.account).toBe(account.index)
  expect(fleet.accounts.map(({ terminals }) => terminals.length)).toEqual([900, 400])
})

test('lines have 1.9 devices on average, and some lines have none', () => {
  const [account] = buildFleet(1, [2_000]).accounts
  const devices = account?.terminals.reduce((sum, { routerIds }) => sum + 1 + routerIds.length, 0) ?? 0
  expect(devices / (account?.lines.length ?? 1)).toBeGreaterThan(1.85)
  expect(devices / (account?.lines.length ?? 1)).toBeLessThan(1.97)
  expect(account?.lines.filter(({ terminal }) => terminal === null)).toHaveLength(4)
  expect(account?.lines.filter(({ endedMs }) => endedMs !== null)).toHaveLength(3)
})

test('builds a fleet of one terminal, and places Attu east of the antimeridian', () => {
  expect(buildFleet(1, [1]).terminals.map(({ line }) => line?.nickname)).toEqual(['Nome School'])
  const attu = buildFleet(1, [2]).terminals[1]
  expect(attu?.place.name).toBe('Attu')
  expect(attu?.longitude).toBeGreaterThan(172)
})

test('vessels and trucks move and change their cell, and other terminals do not move', () => {
  const fleet = buildFleet(1, [300])
  const kmIn = (index: number, hours: number) => {
    const terminal = fleet.terminals[index]
    if (!terminal) throw new Error('no such terminal')
    let km = 0
    for (let hour = 0; hour < hours; hour++) {
      const [fromLat, fromLng] = getPosition(1, terminal, NOVEMBER + hour * HOUR_MS)
      const [toLat, toLng] = getPosition(1, terminal, NOVEMBER + (hour + 1) * HOUR_MS)
      const middle = (((fromLat + toLat) / 2) * Math.PI) / 180
      const step = Math.hypot(toLat - fromLat, (toLng - fromLng) * Math.cos(middle)) * 111.2
      km = Math.max(km, step)
    }
    return km
  }
  for (const [index, { kind }] of fleet.terminals.entries()) {
    const km = kmIn(index, 30)
    if (kind === 'vessel') expect(km).toBeGreaterThan(10)
    if (kind === 'vessel') expect(km).toBeLessThan(23)
    if (kind === 'truck') expect(km).toBeGreaterThan(55)
    if (kind === 'truck') expect(km).toBeLessThan(91)
    if (kind === 'home') expect(km).toBe(0)
  }
  const vessel = fleet.terminals[2]
  if (!vessel) throw new Error('no vessel')
  const [latitude, longitude] = getPosition(1, vessel, NOVEMBER)
  const [cellLatitude, cellLongitude] = cellToLatLng(getCell(1, vessel, NOVEMBER))
  expect(Math.abs(cellLatitude - latitude)).toBeLessThan(0.2)
  expect(Math.abs(cellLongitude - longitude)).toBeLessThan(0.4)
})

test('lodges report in July and not in November', () => {
  const fleet = buildFleet(1, [1_000])
  const lodges = fleet.terminals.filter(({ role }) => role === 'seasonal')
  const reporting = (atMs: number) =>
    lodges.filter((lodge) => readTerminal(fleet, noChanges, lodge, atMs) !== null).length
  expect(lodges.length).toBe(15)
  expect(reporting(NOVEMBER)).toBe(0)
  expect(reporting(JULY)).toBeGreaterThan(12)
})

test('values stay within the range that the vendor can measure', () => {
  for (const atMs of [NOVEMBER, JULY]) {
    for (const reading of readAll(5, 2_000, atMs)) {
      if (!reading) continue
      expect(reading.downlinkMbps).toBeGreaterThanOrEqual(0)
      expect(reading.downlinkMbps).toBeLessThanOrEqual(350)
      expect(reading.pingDrop).toBeGreaterThanOrEqual(0)
      expect(reading.pingDrop).toBeLessThanOrEqual(1)
      expect(reading.signalQuality).toBeGreaterThanOrEqual(0.4)
      expect(reading.signalQuality).toBeLessThanOrEqual(1)
      expect(reading.latencyMs).toBeLessThanOrEqual(200)
      expect(reading.uptimeS).toBeGreaterThanOrEqual(0)
    }
  }
})

test('homes are busiest in their local evening', () => {
  const fleet = buildFleet(2, [2_000])
  const homes = fleet.terminals.filter(
    ({ kind, role, place }) => kind === 'home' && role === 'ordinary' && place.utcOffset === -9,
  )
  const meanAt = (utcHour: number) => {
    const readings = homes.map((home) => readTerminal(fleet, noChanges, home, Date.UTC(2026, 10, 12, utcHour, 30)))
    return readings.reduce((sum, reading) => sum + (reading?.downlinkMbps ?? 0), 0) / homes.length
  }
  // 21:30 in Alaska is 06:30 UTC of the next day.
  expect(meanAt(6)).toBeGreaterThan(3 * meanAt(14))
})
