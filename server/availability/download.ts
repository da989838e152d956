import type { availability, TerminalAvailability } from '#contract/availability.ts'
import { type CsvColumn, formatCsv } from '#contract/csv.ts'
import type { RouteInput } from '#contract/route.ts'
import type { Context } from '../platform/context.ts'
import { csvResponse } from '../platform/http/csv-response.ts'
import { measureFleet } from './summarize.ts'
import { terminalColumns } from './terminal-columns.ts'

const columns: CsvColumn<TerminalAvailability>[] = [
  ...terminalColumns,
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
