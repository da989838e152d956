import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { CommandKind } from '#contract/command-receipt.ts'
import type { TerminalData, TerminalDetail } from '#contract/terminal-detail.ts'
import { historyQuery, selectSpans } from './History.tsx'

const commandNames: Record<CommandKind, string> = {
  reboot: 'Reboot',
  ip_policy: 'IP Policy',
  opt_in: 'Automatic Top Up',
  snow_melt: 'Snow Melt Mode',
}

/** What happened to a terminal: when it did not work, and what was requested of it. */
export function useChartEvents(terminal: TerminalData, { receipts, past }: TerminalDetail, kitnumber: string) {
  const { data } = useQuery({ ...historyQuery(kitnumber), enabled: past === undefined })
  return useMemo(() => {
    const spans = data ? selectSpans(data.spans, terminal) : []
    return {
      outages: spans.filter(({ kind }) => kind === 'down').map(({ from, until }) => ({ from, to: until })),
      marks: receipts
        .filter(({ deviceid }) => deviceid === null || deviceid === terminal.deviceid)
        .map(({ kind, desired, requestedAt }) => ({
          at: requestedAt,
          label: desired === null ? commandNames[kind] : `${commandNames[kind]} (${desired})`,
        })),
    }
  }, [data, terminal, receipts])
}
