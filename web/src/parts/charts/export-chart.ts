import type { CsvColumn } from '#contract/csv.ts'
import { formatExactTime, formatIsoTime, getOwnTimeZone } from '#contract/format/times.ts'
import type { ChartData } from './chart-data.ts'
import type { ChartMeasure } from './measures.ts'
import { quantileNames } from './quantile.ts'
import type { PlotData } from './signal-plot.ts'

/** The terminal that the charts show. */
export interface ChartSubject {
  terminal: string
  /** The name of the tenant. */
  company: string
}

/** 'nome-school-latency.png'. */
export const nameFile = ({ terminal }: ChartSubject, { label }: ChartMeasure, extension: string) =>
  `${[terminal, label]
    .join('-')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')}.${extension}`

/** The visible rows of one chart: only the zoomed part, if any. */
export const listRows = ({ timeline, period }: Pick<ChartData, 'timeline' | 'period'>) =>
  timeline.atMs.flatMap((atMs, index) => {
    const isSample = (timeline.points[index] ?? -1) >= 0 || (timeline.others[index] ?? -1) >= 0
    return isSample && atMs >= period.from.getTime() && atMs <= period.to.getTime() ? [index] : []
  })

/** The columns of one chart's file: the values as drawn, in the unit of the axis. */
export function buildCsvColumns(data: ChartData, plotData: PlotData, { label, unit }: ChartMeasure) {
  const timeZone = getOwnTimeZone()
  const column = (name: string, values: readonly (number | null | undefined)[]): CsvColumn<number> => ({
    header: `${name} (${unit})`,
    value: (index) => values[index] ?? null,
  })
  const { band, quantile, compared } = plotData
  const columns: CsvColumn<number>[] = [
    { header: `Time (${timeZone})`, value: (index) => formatIsoTime(data.timeline.atMs[index] as number, timeZone) },
    column(band ? `${label}, average` : label, plotData.values),
  ]
  if (band) columns.push(column('Lowest', band.min), column('Highest', band.max))
  if (quantile && data.line !== 'average') columns.push(column(quantileNames[data.line], quantile))
  if (compared && data.compared) columns.push(column(data.compared.name, compared))
  return columns
}

/** The caption of an exported image: measure, terminal, period and time zone. */
export const describePicture = (
  data: ChartData,
  { label, unit }: ChartMeasure,
  { terminal, company }: ChartSubject,
) => ({
  title: `${label} (${unit}), ${terminal}`,
  lines: [
    `${formatExactTime(data.period.from)} to ${formatExactTime(data.period.to)}, ${getOwnTimeZone()}`,
    [company, data.compared && `dashed: ${data.compared.name}`].filter(Boolean).join('; '),
  ].filter((line) => line !== ''),
})

interface Picture {
  title: string
  lines: readonly string[]
  colors: { text: string; quiet: string; ground: string }
  fontFamily: string
}

const MARGIN_PX = 16
const LINE_PX = 20

/** The chart as it is on the screen, below its caption. */
export function drawPicture(chart: HTMLCanvasElement, { title, lines, colors, fontFamily }: Picture): Promise<Blob> {
  const ratio = chart.width / chart.clientWidth
  const headPx = MARGIN_PX + LINE_PX * (lines.length + 1) + 8
  const picture = document.createElement('canvas')
  picture.width = chart.width + 2 * MARGIN_PX * ratio
  picture.height = chart.height + (headPx + MARGIN_PX) * ratio
  const context = picture.getContext('2d') as CanvasRenderingContext2D
  context.fillStyle = colors.ground
  context.fillRect(0, 0, picture.width, picture.height)
  context.drawImage(chart, MARGIN_PX * ratio, headPx * ratio)
  context.scale(ratio, ratio)
  context.textBaseline = 'top'
  context.font = `600 14px ${fontFamily}`
  context.fillStyle = colors.text
  context.fillText(title, MARGIN_PX, MARGIN_PX)
  context.font = `12px ${fontFamily}`
  context.fillStyle = colors.quiet
  lines.forEach((line, index) => {
    context.fillText(line, MARGIN_PX, MARGIN_PX + LINE_PX * (index + 1))
  })
  return new Promise((resolve, reject) => {
    picture.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made.'))), 'image/png')
  })
}
