import DoubleClickZoom from 'ol/interaction/DoubleClickZoom.js'
import DragPan from 'ol/interaction/DragPan.js'
import KeyboardPan from 'ol/interaction/KeyboardPan.js'
import KeyboardZoom from 'ol/interaction/KeyboardZoom.js'
import MouseWheelZoom from 'ol/interaction/MouseWheelZoom.js'
import PinchZoom from 'ol/interaction/PinchZoom.js'
import Kinetic from 'ol/Kinetic.js'
import OlMap from 'ol/Map.js'
import type MapBrowserEvent from 'ol/MapBrowserEvent.js'
import View from 'ol/View.js'
import { BaseLayer, type MapScheme } from './base-layer.ts'
import { computeExtent } from './fit.ts'
import { MarkerLayer } from './marker-layer.ts'
import { type Markers, markerSizePx, noMarkers } from './markers.ts'
import { mercatorX, mercatorY, type Place, worldWidthM } from './mercator.ts'

/** Moves the map by mouse, wheel, touch and keyboard. It does not rotate. */
const mapInteractions = () => [
  new DoubleClickZoom(),
  // OpenLayers' defaults: decay, minimum velocity in pixels per ms, delay in ms.
  new DragPan({ kinetic: new Kinetic(-0.005, 0.05, 100) }),
  new PinchZoom(),
  new KeyboardPan(),
  new KeyboardZoom(),
  new MouseWheelZoom(),
]

/** Fitting closer would show one street without its surroundings. */
const closestFitZoom = 7
const fitPaddingPx = 48

type Anchor = { x: number; y: number } | undefined

/** The pixel positions of markers; undefined when out of view. */
export interface Anchors {
  highlighted: Anchor
  popup: Anchor
}

export interface MapEvents {
  onHover: (id: string | undefined) => void
  /** The clicked marker first, then those at the same place; empty when no marker was hit. */
  onPick: (ids: readonly string[]) => void
  onAnchors: (anchors: Anchors) => void
}

/** Markers closer than this look like one. */
const samePlacePx = 3

/** The map outside of React: receives what to show and reports pointer events. */
export class MapView {
  readonly #map: OlMap
  readonly #base: BaseLayer
  readonly #layer: MarkerLayer
  readonly #events: MapEvents
  #markers = noMarkers
  /** Only for requested ids: a table of all ids would be rebuilt with each letter of a search. */
  #positions = new Map<string, number>()
  #highlightedId: string | undefined
  #popupId: string | undefined
  #fitted = false

  constructor(target: HTMLElement, scheme: MapScheme, center: Place, zoom: number, events: MapEvents) {
    this.#events = events
    this.#base = new BaseLayer(scheme)
    this.#layer = new MarkerLayer(scheme)
    this.#map = new OlMap({
      target,
      controls: [],
      interactions: mapInteractions(),
      layers: [this.#base, this.#layer],
      view: new View({
        center: [mercatorX(center[1]), mercatorY(center[0])],
        zoom,
        minZoom: 1,
        maxZoom: 18,
        multiWorld: true,
        enableRotation: false,
      }),
    })
    this.#map.on('pointermove', (event) => !event.dragging && this.#hover(event))
    this.#map.on('click', (event) => events.onPick(this.#idsAt(event)))
    this.#map.on('postrender', () => {
      const drawn = String(this.#markers.points.length)
      if (target.dataset.markers !== drawn) target.dataset.markers = drawn
      events.onAnchors({ highlighted: this.#anchorOf(this.#highlightedId), popup: this.#anchorOf(this.#popupId) })
    })
    this.#map.on('change:size', () => !this.#fitted && this.fit())
  }

  get olMap() {
    return this.#map
  }

  setScheme(scheme: MapScheme) {
    this.#base.setScheme(scheme)
    this.#layer.setScheme(scheme)
  }

  setCovered(isCovered: boolean) {
    this.#base.setCovered(isCovered)
  }

  setMarkers(markers: Markers) {
    this.#markers = markers
    this.#positions = new Map()
    this.#layer.setMarkers(this.#markers)
    this.setHighlight(this.#highlightedId)
    if (!this.#fitted) this.fit()
  }

  setHighlight(id: string | undefined) {
    this.#highlightedId = id
    this.#layer.highlight(this.#positionOf(id))
    this.#map.render()
  }

  setPopup(id: string | undefined) {
    this.#popupId = id
    this.#map.render()
  }

  /** Shows every terminal whose place is known. Without one, the view does not change. */
  fit() {
    const places = this.#markers.points.flatMap(({ place }) => (place ? [place] : []))
    const extent = computeExtent(places)
    const [width = 0, height = 0] = this.#map.getSize() ?? []
    if (!extent || width === 0 || height === 0) return
    const paddingPx = Math.min(fitPaddingPx, width / 6, height / 6)
    this.#map.getView().fit(extent, { maxZoom: closestFitZoom, padding: Array(4).fill(paddingPx) })
    this.#fitted = true
  }

  zoomBy(steps: number) {
    const view = this.#map.getView()
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    view.animate({ zoom: (view.getZoom() ?? 0) + steps, duration: still ? 0 : 120 })
  }

  destroy() {
    this.#map.setTarget(undefined)
    this.#map.dispose()
  }

  #hover(event: MapBrowserEvent) {
    const at = this.#markerAt(event)
    const id = at === undefined ? undefined : this.#markers.points[at]?.id
    this.#map.getTargetElement().style.cursor = id === undefined ? '' : 'pointer'
    this.#events.onHover(id)
  }

  #markerAt(event: MapBrowserEvent) {
    const view = this.#map.getView()
    const reachPx = markerSizePx(view.getZoom() ?? 0) / 2 + 3
    const [x, y] = event.coordinate as [number, number]
    return this.#markers.nearest(x, y, reachPx * (view.getResolution() ?? 1))
  }

  #idsAt(event: MapBrowserEvent) {
    const at = this.#markerAt(event)
    if (at === undefined) return []
    const around = this.#markers.around(at, samePlacePx * (this.#map.getView().getResolution() ?? 1))
    return [at, ...around.filter((other) => other !== at)].map((each) => this.#markers.points[each]?.id as string)
  }

  #positionOf(id: string | undefined) {
    if (id === undefined) return undefined
    const known = this.#positions.get(id)
    if (known !== undefined) return known
    const at = this.#markers.points.findIndex((point) => point.id === id)
    if (at >= 0) this.#positions.set(id, at)
    return at < 0 ? undefined : at
  }

  #anchorOf(id: string | undefined) {
    const at = this.#positionOf(id)
    if (at === undefined) return undefined
    const home = this.#markers.x[at] as number
    const centerX = this.#map.getView().getCenter()?.[0] ?? 0
    // The copy of the world nearest to the middle of the view.
    const x = home + Math.round((centerX - home) / worldWidthM) * worldWidthM
    const pixel = this.#map.getPixelFromCoordinate([x, this.#markers.y[at] as number])
    const [width = 0, height = 0] = this.#map.getSize() ?? []
    if (!pixel) return undefined
    const [px, py] = pixel as [number, number]
    return px >= 0 && py >= 0 && px <= width && py <= height ? { x: px, y: py } : undefined
  }
}
