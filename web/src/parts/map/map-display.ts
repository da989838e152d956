import type { MapScheme } from './base-layer.ts'
import type { Place } from './mercator.ts'

/** A map on an unattended screen: without controls. */
export interface MapDisplay {
  scheme: MapScheme
  /** Where to zoom in; all terminals by default. */
  focus: Place | undefined
}
