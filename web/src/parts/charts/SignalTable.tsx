import { useMemo } from 'react'
import { formatSampleTime } from '#contract/format/times.ts'
import { ColumnTime } from '../../ui/ColumnTime.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/data-table.ts'
import type { ChartData } from './chart-data.ts'
import { measures } from './measures.ts'

const widthPx = { time: 190, value: 180, spread: 350 }

/** The figures of the charts as a table, newest first. */
export function SignalTable({ data }: { data: ChartData }) {
  const rows = useMemo(() => data.signals.map((_, point) => point).reverse(), [data])
  const columns = useMemo(() => buildColumns(data), [data])
  return <DataTable label="Samples" columns={columns} rows={rows} rowKey={String} empty="No data available" />
}

function buildColumns({ signals, bands }: ChartData): Column<number>[] {
  const time: Column<number> = {
    key: 'time',
    header: 'Time',
    widthPx: widthPx.time,
    cell: (point) => {
      const { timestamp = 0 } = signals[point] ?? {}
      return <ColumnTime at={new Date(timestamp)}>{formatSampleTime(timestamp)}</ColumnTime>
    },
  }
  const values = measures.map(({ key, label, format }): Column<number> => {
    const band = bands?.[key]
    const spread = (point: number) =>
      band ? ` (${format(band.min[point] ?? null)} to ${format(band.max[point] ?? null)})` : ''
    return {
      key,
      header: label,
      align: 'right',
      widthPx: band ? widthPx.spread : widthPx.value,
      cell: (point) => {
        const value = signals[point]?.[key] ?? null
        return value === null ? 'N/A' : format(value) + spread(point)
      },
    }
  })
  return [time, ...values]
}
