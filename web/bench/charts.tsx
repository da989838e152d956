import '../src/ui/mantine.css'
import '../src/brand/global.css'
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { CartesianGrid, Line, LineChart, Tooltip, XAxis, YAxis } from 'recharts'
import { mapMeasures } from '#contract/measures.ts'
import { measures } from '../src/parts/charts/measures.ts'
import { SignalCharts } from '../src/parts/charts/SignalCharts.tsx'

const points = 1000
const stepMs = 15_000
const size = { width: 580, height: 160 }
const startMs = Date.UTC(2026, 10, 15)

/** The same samples for everybody: a wave with a gap in it. */
const signals = Array.from({ length: points }, (_, index) => {
  const wave = Math.sin(index / 9) + Math.sin(index / 2.3) / 2 + 1.5
  return {
    timestamp: startMs + index * stepMs,
    ...mapMeasures(() => wave),
    downlink: wave * 30,
    uplink: wave * 3,
    latency: 40 + wave * 5,
    pingdrop: wave / 100,
    signal_quality: 0.95,
    obstruction: wave / 200,
  }
})
const extremes = Object.fromEntries(
  measures.map(({ key }) => {
    const values = signals.map((signal) => signal[key])
    return [key, { min: Math.min(...values), max: Math.max(...values), last: values.at(-1) ?? null, lastAt: null }]
  }),
) as Parameters<typeof SignalCharts>[0]['terminal']['extremes']

const noEvents = { outages: [], planned: [], marks: [], isLoading: false }
const subject = { terminal: 'Nome School', company: 'Dishboard' }

const ours = () => (
  <SignalCharts
    terminal={{
      signals: [...signals],
      stepS: stepMs / 1000,
      bands: null,
      unobserved: [],
      extremes,
    }}
    period={{ from: new Date(startMs), to: new Date(startMs + points * stepMs) }}
    periodMin={180}
    isExpanded={false}
    view="charts"
    events={noEvents}
    subject={subject}
    line="average"
    compared={undefined}
    onZoom={() => {}}
  />
)

const recharts = () => (
  <div style={{ display: 'grid', gridTemplateColumns: '1fr 1fr' }}>
    {measures.map(({ key, label }) => (
      <LineChart key={key} {...size} data={[...signals]} syncId="bench">
        <CartesianGrid />
        <XAxis dataKey="timestamp" type="number" domain={['dataMin', 'dataMax']} />
        <YAxis />
        <Tooltip />
        <Line name={label} dataKey={key} dot={false} isAnimationActive={false} />
      </LineChart>
    ))}
  </div>
)

const contenders: Record<string, () => ReactNode> = { ours, recharts }

/** Milliseconds from having the data to a painted frame. */
async function timeToPaint(name: string) {
  const element = document.getElementById('root') as HTMLElement
  const root = createRoot(element)
  const startedAt = performance.now()
  root.render(<MantineProvider>{contenders[name]?.()}</MantineProvider>)
  const isThere = () => element.querySelectorAll('canvas, path.recharts-line-curve').length >= measures.length
  while (!isThere()) await nextFrame()
  await nextFrame()
  const tookMs = performance.now() - startedAt
  root.unmount()
  return tookMs
}

/** The task after a frame: by then it has been painted. */
const nextFrame = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => {
      const channel = new MessageChannel()
      channel.port1.onmessage = () => resolve()
      channel.port2.postMessage(undefined)
    })
  })

Object.assign(window, { timeToPaint })
