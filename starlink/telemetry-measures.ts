/** What a terminal measures, in the order of `TerminalSample.values`, and what the vendor's two telemetry calls name it. */
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

/** Where the values of a sample hold a measure. */
export const getMeasureIndex = (name: TerminalMeasure) => terminalMeasures.findIndex((measure) => measure.name === name)
