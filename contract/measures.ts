interface MeasureDeclaration {
  /** The field on the wire. */
  name: string
  /** The vendor's measure, as named in `starlink/`. */
  source: string
  /** The column of the tables `samples` and `latest`. */
  sampleColumn: string
  /** The prefix of its columns in the tiers. */
  tierColumn: string
  /** The title of its chart. */
  label: string
  /** The column of the downloaded file. */
  csvTitle: string
  unit: string
  /** A fraction is 0–1 on the wire and shown in percent; a speed below 1 Mbps is shown in Kbps. */
  format: 'speed' | 'number' | 'fraction'
  /** The upper end of its chart, if fixed. */
  fullScale?: number
  /** The threshold at which service is affected. */
  hurts?: { when: 'above' | 'below'; at: number }
}

/** Thresholds at which service is affected: the vendor's bad obstruction begins at 5%, signal under snow at 80%. */
export const hurtsAt = { obstruction: 0.05, signalQuality: 0.8 }

/**
 * The measures of a terminal, in the order of their charts. The tiers store counts and chart points in the same order,
 * so a new measure goes to the end.
 */
export const measures = [
  {
    name: 'downlink',
    source: 'downlinkMbps',
    sampleColumn: 'downlink_mbps',
    tierColumn: 'downlink',
    label: 'Downlink Throughput',
    csvTitle: 'Downlink',
    unit: 'Mbps',
    format: 'speed',
  },
  {
    name: 'uplink',
    source: 'uplinkMbps',
    sampleColumn: 'uplink_mbps',
    tierColumn: 'uplink',
    label: 'Uplink Throughput',
    csvTitle: 'Uplink',
    unit: 'Mbps',
    format: 'speed',
  },
  {
    name: 'latency',
    source: 'latencyMs',
    sampleColumn: 'latency_ms',
    tierColumn: 'latency',
    label: 'Latency',
    csvTitle: 'Latency',
    unit: 'ms',
    format: 'number',
  },
  {
    name: 'pingdrop',
    source: 'pingDrop',
    sampleColumn: 'ping_drop',
    tierColumn: 'ping_drop',
    label: 'Ping Drop Rate',
    csvTitle: 'Ping drop rate',
    unit: '%',
    format: 'fraction',
  },
  {
    name: 'signal_quality',
    source: 'signalQuality',
    sampleColumn: 'signal_quality',
    tierColumn: 'signal_quality',
    label: 'Signal Quality',
    csvTitle: 'Signal quality',
    unit: '%',
    format: 'fraction',
    fullScale: 100,
    hurts: { when: 'below', at: hurtsAt.signalQuality },
  },
  {
    name: 'obstruction',
    source: 'obstruction',
    sampleColumn: 'obstruction',
    tierColumn: 'obstruction',
    label: 'Obstruction',
    csvTitle: 'Obstruction',
    unit: '%',
    format: 'fraction',
    hurts: { when: 'above', at: hurtsAt.obstruction },
  },
] as const satisfies readonly MeasureDeclaration[]

export type Measure = MeasureDeclaration & { name: MeasureName }
export type MeasureName = (typeof measures)[number]['name']

/** Multiplies the value on the wire to get the figure in the measure's unit. */
export const getDisplayFactor = ({ format }: Pick<MeasureDeclaration, 'format'>) => (format === 'fraction' ? 100 : 1)

/** A record with one value for each measure. */
export const mapMeasures = <T>(build: (name: MeasureName, index: number) => T) =>
  Object.fromEntries(measures.map(({ name }, index) => [name, build(name, index)])) as Record<MeasureName, T>
