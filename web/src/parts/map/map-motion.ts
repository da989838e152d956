import DoubleClickZoom from 'ol/interaction/DoubleClickZoom.js'
import DragPan from 'ol/interaction/DragPan.js'
import KeyboardPan from 'ol/interaction/KeyboardPan.js'
import KeyboardZoom from 'ol/interaction/KeyboardZoom.js'
import MouseWheelZoom from 'ol/interaction/MouseWheelZoom.js'
import PinchZoom from 'ol/interaction/PinchZoom.js'
import Kinetic from 'ol/Kinetic.js'
import type OlMap from 'ol/Map.js'
import View from 'ol/View.js'
import { computeExtent } from './fit.ts'
import type { MapPlace } from './map-place.ts'
import { mercatorX, mercatorY, type Place } from './mercator.ts'

/** Moves the map by mouse, wheel, touch and keyboard. It does not rotate. */
export const createInteractions = () => [
  new DoubleClickZoom(),
  // OpenLayers' defaults: decay, minimum velocity in pixels per ms, delay in ms.
  new DragPan({ kinetic: new Kinetic(-0.005, 0.05, 100) }),
  new PinchZoom(),
  new KeyboardPan(),
  new KeyboardZoom(),
  new MouseWheelZoom(),
]

const toMercator = ([latitude, longitude]: Place) => [mercatorX(longitude), mercatorY(latitude)]

export const createView = ({ center, zoom }: MapPlace) =>
  new View({
    center: toMercator(center),
    zoom,
    minZoom: 1,
    maxZoom: 18,
    multiWorld: true,
    enableRotation: false,
  })

interface FitOptions {
  maxZoom: number
  paddingPx: number
  durationMs: number
}

/** Fitting closer would show one street without its surroundings. */
export const terminalFit = { maxZoom: 7, paddingPx: 48 }
/** Street level. A cluster that remains at this zoom is one location, and is listed. */
export const clusterFit = { maxZoom: 16, paddingPx: 80 }

export const moveMs = 200
/** Slow enough to follow from across the room. */
export const turnMs = 1500
const zoomMs = 120
/** Leaves room for the buttons at the right edge. */
const buttonsPx = 24
/** On a low map they are beside each other, and as wide as the switch above them. */
const lowMapPx = 260
const lowMapButtonsPx = 196

const limitMotion = (durationMs: number) => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : durationMs)

/** Fits the view to all positions. Returns whether there were any, and a map size to fit to. */
export const fitPlaces = (map: OlMap, places: readonly Place[], { maxZoom, paddingPx, durationMs }: FitOptions) => {
  const extent = computeExtent(places)
  const [width = 0, height = 0] = map.getSize() ?? []
  if (!extent || width === 0 || height === 0) return false
  const side = Math.min(paddingPx, width / 6, height / 6)
  const buttons =
    places.length > 1 && height < lowMapPx
      ? Math.min(lowMapButtonsPx, width / 2)
      : Math.min(side + buttonsPx, width / 4)
  const padding = [side, buttons, side, side]
  const view = map.getView()
  view.cancelAnimations()
  view.fit(extent, { maxZoom, padding, duration: limitMotion(durationMs) })
  return true
}

export const showPlace = (map: OlMap, { center, zoom }: MapPlace) => {
  const view = map.getView()
  view.cancelAnimations()
  view.setCenter(toMercator(center))
  view.setZoom(zoom)
}

export const zoomBy = (map: OlMap, steps: number) => {
  const view = map.getView()
  view.animate({ zoom: (view.getZoom() ?? 0) + steps, duration: limitMotion(zoomMs) })
}
