import type { TerminalAvailability } from '#contract/availability.ts'
import type { CsvColumn } from '#contract/csv.ts'

const rounded = (percent: number | null) => (percent === null ? null : Math.round(percent * 10_000) / 10_000)

/** CSV columns for the availability of a terminal. */
export const terminalColumns: CsvColumn<TerminalAvailability>[] = [
  { header: 'Terminal', value: ({ name }) => name },
  { header: 'Kit', value: ({ kit }) => kit },
  { header: 'Group', value: ({ group }) => group },
  { header: 'Availability (%)', value: ({ percent }) => rounded(percent) },
  { header: 'Target (%)', value: ({ target }) => target },
  { header: 'Below target', value: ({ target, isBreached }) => (target === null ? null : isBreached ? 'yes' : 'no') },
  { header: 'Up (s)', value: ({ upS }) => upS },
  { header: 'Down (s)', value: ({ downS }) => downS },
  { header: 'Planned (s)', value: ({ plannedS }) => plannedS },
  { header: 'Not observed (s)', value: ({ notObservedS }) => notObservedS },
  { header: 'Outages', value: ({ outages }) => outages },
  { header: 'Longest outage (s)', value: ({ longestS }) => longestS },
]
