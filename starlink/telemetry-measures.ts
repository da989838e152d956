/** The measures of a terminal in the order of `TerminalSample.values`, with their names in the vendor's two calls. */
export const terminalMeasures = [
  { name: 'downlinkMbps', column: 'DownlinkThroughput', queryField: 'downlinkThroughputMbps' },
  { name: 'uplinkMbps', column: 'UplinkThroughput', queryField: 'uplinkThroughputMbps' },
  /** 0–1. */
  { name: 'pingDrop', column: 'PingDropRateAvg', queryField: 'popPingDropRateAvg' },
  { name: 'latencyMs', column: 'PingLatencyMsAvg', queryField: 'popPingLatencyMsAvg' },
  /** A fraction of time, 0–1. */
  { name: 'obstruction', column: 'ObstructionPercentTime', queryField: 'obstructionPercentTime' },
  /** 0–1. */
  { name: 'signalQuality', column: 'SignalQuality', queryField: 'signalQuality' },
] as const

export type TerminalMeasure = (typeof terminalMeasures)[number]['name']

/** The index of a measure in the values of a sample. */
export const getMeasureIndex = (name: TerminalMeasure) => terminalMeasures.findIndex((measure) => measure.name === name)
