import type { availability, TerminalAvailability } from '#contract/availability.ts'
import { type CsvColumn, formatCsv } from '#contract/csv.ts'
import type { RouteInput } from '#contract/route.ts'
import type { Context } from '../platform/context.ts'
import { csvResponse } from '../platform/http/csv-response.ts'
import { measureFleet } from './summarize.ts'

const rounded = (percent: number | null) => (percent === null ? null : Math.round(percent * 10_000) / 10_000)

const columns: CsvColumn<TerminalAvailability>[] = [
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
  { header: 'MTTR (s)', value: ({ meanRepairS }) => meanRepairS },
  { header: 'MTBF (s)', value: ({ meanBetweenS }) => meanBetweenS },
]

export const downloadAvailability = async (ctx: Context, filter: RouteInput<typeof availability.download>) => {
  const { shown, terminals, toRow } = await ctx.transaction((db) => measureFleet(db, ctx, filter))
  const lines = async function* () {
    yield formatCsv(columns, terminals.map(toRow))
  }
  return csvResponse(`availability-${shown.firstDay}-${shown.lastDay}.csv`, lines())
}
