import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { AvailabilitySpan } from '#contract/availability.ts'
import type { CommandKind, CommandReceipt } from '#contract/command-receipt.ts'
import type { TerminalData, TerminalDetail } from '#contract/terminal-detail.ts'
import type { ChartEvents } from '../../parts/charts/chart-data.ts'
import { historyQuery, selectSpans } from './History.tsx'
import { stateTexts } from './receipts.ts'

const commandNames: Record<CommandKind, string> = {
  reboot: 'Reboot',
  ip_policy: 'IP Policy',
  opt_in: 'Automatic Top Up',
  snow_melt: 'Snow Melt Mode',
}

const describeReceipt = ({ kind, desired, requestedBy, state }: CommandReceipt) =>
  `${commandNames[kind]}${desired === null ? '' : ` (${desired})`} by ${requestedBy}, ${stateTexts[state].toLowerCase()}`

/** An unrequested restart shows up as an outage. */
const isRestart = ({ kind, incident }: AvailabilitySpan) => kind === 'down' && incident?.cause === 'restart'

const toSpan = ({ from, until }: AvailabilitySpan) => ({ from, to: until })

/** The events of a terminal: outages, planned maintenance and commands. */
export function buildChartEvents(
  spans: readonly AvailabilitySpan[],
  receipts: readonly CommandReceipt[],
  deviceid: string,
): Omit<ChartEvents, 'isLoading'> {
  return {
    outages: spans.filter(({ kind }) => kind === 'down').map(toSpan),
    planned: spans.filter(({ kind }) => kind === 'planned').map((span) => ({ ...toSpan(span), name: span.window })),
    marks: [
      ...receipts
        .filter((receipt) => receipt.deviceid === null || receipt.deviceid === deviceid)
        .map((receipt) => ({ at: receipt.requestedAt, label: describeReceipt(receipt) })),
      ...spans.filter(isRestart).map(({ from }) => ({ at: from, label: 'Restarted' })),
    ],
  }
}

export function useChartEvents({ kitnumber: kit, deviceid }: TerminalData, detail: TerminalDetail, kitnumber: string) {
  const { receipts, past } = detail
  const { data, isLoading } = useQuery({ ...historyQuery(kitnumber), enabled: past === undefined })
  return useMemo(
    () => ({
      ...buildChartEvents(data ? selectSpans(data.spans, { kitnumber: kit }) : [], receipts, deviceid),
      isLoading,
    }),
    [data, isLoading, kit, receipts, deviceid],
  )
}
