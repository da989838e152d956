import type { MapScheme } from './base-layer.ts'
import type { Place } from './mercator.ts'

/** A map on a screen that nobody touches: without controls. */
export interface MapDisplay {
  scheme: MapScheme
  /** Where to look; all terminals without it. */
  focus: Place | undefined
}
