import { expect, test } from 'vitest'
import { createChanges, getTerminalChanges } from './changes.ts'
import { buildFleet, type Terminal } from './fleet.ts'
import { getPresence } from './presence.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const fleet = buildFleet(1959, [40])

const getPlanned = (terminal: Terminal, atMs: number) => getPresence(fleet, createChanges(), terminal, atMs)

test('a terminal that is brought up stays up whatever was to happen to it, with the uptime that it had', () => {
  const terminal = fleet.terminals.find(({ role }) => role === 'ordinary') as Terminal
  const hours = Array.from({ length: 90 * 24 }, (_, hour) => Date.UTC(2026, 10, 12) + hour * HOUR_MS)
  const upMs = hours.find((atMs) => getPlanned(terminal, atMs).reports) as number
  const awayMs = hours.find((atMs) => atMs > upMs && !getPlanned(terminal, atMs).reports) as number
  expect(awayMs).toBeGreaterThan(upMs)
  const changes = createChanges()
  const commanded = getTerminalChanges(changes, terminal)
  commanded.down.push({ atMs: upMs, on: false })
  expect(getPresence(fleet, changes, terminal, awayMs)).toEqual(getPlanned(terminal, upMs))
  commanded.rebootedMs.push(awayMs)
  expect(getPresence(fleet, changes, terminal, awayMs + 1)).toMatchObject({ reports: false, cause: 'command' })
  expect(getPresence(fleet, changes, terminal, awayMs + 2 * MINUTE_MS)).toMatchObject({ bootedMs: awayMs + 90_000 })
  commanded.down.push({ atMs: awayMs + HOUR_MS, on: true }, { atMs: awayMs + 2 * HOUR_MS, on: false })
  expect(getPresence(fleet, changes, terminal, awayMs + HOUR_MS)).toMatchObject({ reports: false, cause: 'command' })
  expect(getPresence(fleet, changes, terminal, awayMs + 3 * HOUR_MS)).toMatchObject({ bootedMs: awayMs + 2 * HOUR_MS })
})

test('a dish that is not installed cannot be brought up', () => {
  const spare = fleet.terminals.find(({ line }) => line === null) as Terminal
  const atMs = Date.UTC(2026, 10, 12)
  const changes = createChanges()
  getTerminalChanges(changes, spare).down.push({ atMs, on: false })
  expect(getPresence(fleet, changes, spare, atMs)).toMatchObject({ reports: false, cause: 'not installed' })
})
