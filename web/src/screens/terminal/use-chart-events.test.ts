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

test('outages, maintenance, commands and restarts are distinguished', () => {
  const spans = [
    span('up', '09:00', '10:00'),
    span('down', '10:00', '10:05', { incident: { id: '7', cause: 'restart' } }),
    span('planned', '11:00', '12:00', { window: 'New mast' }),
  ]
  expect(buildChartEvents(spans, [receipt('one'), receipt(null), receipt('two')], 'one')).toEqual({
    outages: [{ from: at('10:00'), to: at('10:05') }],
    planned: [{ from: at('11:00'), to: at('12:00'), name: 'New mast' }],
    marks: [
      { at: at('10:00'), label: 'Snow Melt Mode (AUTO) by ada@example.com, accepted by the vendor' },
      { at: at('10:00'), label: 'Snow Melt Mode (AUTO) by ada@example.com, accepted by the vendor' },
      { at: at('10:00'), label: 'Restarted' },
    ],
  })
})
