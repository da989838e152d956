import { expect, test } from 'vitest'
import type { AvailabilitySpan } from '#contract/availability.ts'
import type { CommandReceipt } from '#contract/command-receipt.ts'
import { buildChartEvents } from './use-chart-events.ts'

const at = (clock: string) => new Date(`2026-11-15T${clock}Z`)

const span = (kind: AvailabilitySpan['kind'], from: string, until: string, more: Partial<AvailabilitySpan> = {}) => ({
  kit: null,
  kind,
  from: at(from),
  until: at(until),
  incident: null,
  window: null,
  ...more,
})

const receipt = (deviceid: string | null): CommandReceipt => ({
  id: '1',
  kind: 'snow_melt',
  desired: 'AUTO',
  deviceid,
  state: 'accepted',
  requestedBy: 'ada@example.com',
  requestedAt: at('10:00'),
  acceptedAt: null,
  settledAt: null,
  problem: null,
})

const terminal = (booted: Date) => ({
  deviceid: 'one',
  uptime: (at('13:00').getTime() - booted.getTime()) / 1000,
  update_from_telemetry: at('13:00'),
})

test('outages, maintenance, commands and restarts are distinguished', () => {
  const spans = [
    span('up', '09:00', '10:00'),
    span('down', '10:00', '10:05', { incident: { id: '7', cause: 'restart' } }),
    span('planned', '11:00', '12:00', { window: 'New mast' }),
  ]
  expect(buildChartEvents(spans, [receipt('one'), receipt(null), receipt('two')], terminal(at('10:04')))).toEqual({
    outages: [{ from: at('10:00'), to: at('10:05') }],
    planned: [{ from: at('11:00'), to: at('12:00'), name: 'New mast' }],
    marks: [
      { at: at('10:00'), label: 'Snow Melt Mode (AUTO) by ada@example.com, accepted by the vendor' },
      { at: at('10:00'), label: 'Snow Melt Mode (AUTO) by ada@example.com, accepted by the vendor' },
      { at: at('10:00'), label: 'Restarted' },
    ],
  })
})

test('a restart that is too short for an outage is marked by the uptime, unless something else shows it', () => {
  const outage = span('down', '10:00', '10:05')
  const reboot = { ...receipt('one'), kind: 'reboot' as const, desired: null }
  const findRestarts = (booted: Date) =>
    buildChartEvents([outage], [reboot], terminal(booted)).marks.filter(({ label }) => label === 'Restarted')
  expect(findRestarts(at('11:30'))).toEqual([{ at: at('11:30'), label: 'Restarted' }])
  expect(findRestarts(at('09:30'))).toEqual([{ at: at('09:30'), label: 'Restarted' }])
  expect(findRestarts(at('10:02'))).toEqual([])
  expect(findRestarts(at('10:08'))).toEqual([])
  const unknown = { deviceid: 'one', uptime: null, update_from_telemetry: at('13:00') }
  expect(buildChartEvents([outage], [], unknown).marks).toEqual([])
})
