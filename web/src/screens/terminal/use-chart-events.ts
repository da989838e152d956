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

/** An unrequested restart that takes long shows up as an outage. */
const isRestart = ({ kind, incident }: AvailabilitySpan) => kind === 'down' && incident?.cause === 'restart'

const toSpan = ({ from, until }: AvailabilitySpan) => ({ from, to: until })

type Booted = Pick<TerminalData, 'uptime' | 'update_from_telemetry'>

const findBootTime = ({ uptime, update_from_telemetry: at }: Booted) =>
  uptime === null || at === null ? undefined : new Date(at.getTime() - uptime * 1000)

/** After an outage or a command, a terminal has started within this time. */
const STARTED_MS = 10 * 60_000

/** Whether an outage or a reboot command already shows why the terminal started at that time. */
const isExplained = (boot: Date, spans: readonly AvailabilitySpan[], commands: readonly CommandReceipt[]) => {
  const isWithin = (from: Date, untilMs: number) => boot >= from && boot.getTime() <= untilMs + STARTED_MS
  return (
    spans.some(({ kind, from, until }) => kind === 'down' && isWithin(from, until.getTime())) ||
    commands.some(({ kind, requestedAt }) => kind === 'reboot' && isWithin(requestedAt, requestedAt.getTime()))
  )
}

/** The events of a terminal: outages, planned maintenance, commands and restarts. */
export function buildChartEvents(
  spans: readonly AvailabilitySpan[],
  receipts: readonly CommandReceipt[],
  { deviceid, ...booted }: Booted & Pick<TerminalData, 'deviceid'>,
): Omit<ChartEvents, 'isLoading'> {
  const commands = receipts.filter((receipt) => receipt.deviceid === null || receipt.deviceid === deviceid)
  const boot = findBootTime(booted)
  return {
    outages: spans.filter(({ kind }) => kind === 'down').map(toSpan),
    planned: spans.filter(({ kind }) => kind === 'planned').map((span) => ({ ...toSpan(span), name: span.window })),
    marks: [
      ...commands.map((receipt) => ({ at: receipt.requestedAt, label: describeReceipt(receipt) })),
      ...spans.filter(isRestart).map(({ from }) => ({ at: from, label: 'Restarted' })),
      ...(boot && !isExplained(boot, spans, commands) ? [{ at: boot, label: 'Restarted' }] : []),
    ],
  }
}

export function useChartEvents(terminal: TerminalData, detail: TerminalDetail, kitnumber: string) {
  const { receipts, past } = detail
  const { data, isLoading } = useQuery({ ...historyQuery(kitnumber), enabled: past === undefined })
  return useMemo(
    () => ({
      ...buildChartEvents(data ? selectSpans(data.spans, terminal) : [], receipts, terminal),
      isLoading,
    }),
    [data, isLoading, receipts, terminal],
  )
}
