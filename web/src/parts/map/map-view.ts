import OlMap from 'ol/Map.js'
import type MapBrowserEvent from 'ol/MapBrowserEvent.js'
import { BaseLayer, type MapScheme } from './base-layer.ts'
import { type Clusters, listMembers, readShares } from './clusters.ts'
import {
  clusterFit,
  createInteractions,
  createView,
  fitPlaces,
  moveMs,
  showPlace,
  terminalFit,
  turnMs,
  zoomBy,
} from './map-motion.ts'
import type { MapPlace } from './map-place.ts'
import { MarkerLayer } from './marker-layer.ts'
import { type MapPoint, type Markers, noMarkers } from './markers.ts'
import { type Place, scaleAt, toPlace, worldWidthM } from './mercator.ts'
import { NameLayer } from './name-layer.ts'

type Anchor = { x: number; y: number } | undefined

/** The pixel positions of markers; undefined when out of view. */
export interface Anchors {
  highlighted: Anchor
  popup: Anchor
  cluster: Anchor
}

/** The number of terminals of each status in a cluster, in the order of `shownStatuses`. */
export type ClusterShares = readonly number[]

export interface MapEvents {
  onHover: (id: string | undefined) => void
  onHoverCluster: (shares: ClusterShares | undefined) => void
  /** The terminals at the clicked location; empty if there are none, or if the map zooms in on a cluster instead. */
  onPick: (ids: readonly string[]) => void
  onAnchors: (anchors: Anchors) => void
  /** A location without terminals was clicked. */
  onPlace: (place: Place) => void
  /** Called after each move with the ground distance of a pixel in the center of the map. */
  onScale: (metersPerPx: number) => void
  /** Called after each move. */
  onMove: (shown: MapPlace) => void
}

/** The map outside of React: receives what to show and reports pointer events. */
export class MapView {
  readonly #map: OlMap
  readonly #base: BaseLayer
  readonly #names: NameLayer
  readonly #layer: MarkerLayer
  readonly #events: MapEvents
  #markers = noMarkers
  /** Only for requested ids: a table of all ids would be rebuilt with each letter of a search. */
  #positions = new Map<string, number>()
  #highlightedId: string | undefined
  #popupId: string | undefined
  #hovered: { clusters: Clusters; cluster: number } | undefined
  #trackPlaces: readonly Place[] = []
  #fitted = false

  /** The initial view is replaced as soon as there are terminals to fit, unless the user chose it. */
  constructor(target: HTMLElement, scheme: MapScheme, start: MapPlace & { isFirst?: boolean }, events: MapEvents) {
    this.#fitted = !start.isFirst
    this.#events = events
    this.#layer = new MarkerLayer(scheme)
    this.#base = new BaseLayer(scheme)
    this.#names = new NameLayer(scheme, this.#layer)
    this.#map = new OlMap({
      target,
      controls: [],
      interactions: createInteractions(),
      layers: [this.#base, this.#names, this.#layer],
      view: createView(start),
    })
    this.#map.on('pointermove', (event) => !event.dragging && this.#hover(event))
    this.#map.on('click', (event) => this.#click(event))
    this.#map.on('postrender', () => {
      const clusters = this.#layer.getClusters(this.#zoom)
      Object.assign(target.dataset, { markers: this.#markers.points.length, clusters: clusters.size.length })
      // Clusters change with the zoom and with the visible points.
      if (this.#hovered && this.#hovered.clusters !== clusters) this.#setHovered(undefined)
      events.onAnchors({
        highlighted: this.#findAnchor(this.#highlightedId),
        popup: this.#findAnchor(this.#popupId),
        cluster: this.#hovered && this.#toPixel(clusters.x, clusters.y, this.#hovered.cluster),
      })
    })
    this.#map.on('moveend', () => {
      const view = this.#map.getView()
      events.onScale((view.getResolution() ?? 1) * scaleAt(view.getCenter()?.[1] ?? 0))
      events.onMove(this.shown)
    })
    this.#map.on('change:size', () => !this.#fitted && this.fit())
  }

  get olMap() {
    return this.#map
  }

  setScheme(scheme: MapScheme) {
    this.#base.setScheme(scheme)
    this.#names.setScheme(scheme)
    this.#layer.setScheme(scheme)
  }

  setCovered(isCovered: boolean) {
    this.#base.setCovered(isCovered)
    this.#names.setCovered(isCovered)
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
    this.#layer.highlight(this.#findPosition(id))
    this.#map.render()
  }

  setPopup(id: string | undefined) {
    this.#popupId = id
    this.#map.render()
  }

  /** The outline of an area; it does not change the view. */
  setArea(edge: readonly Place[]) {
    this.#layer.setTrack(edge)
    this.#map.render()
  }

  get center(): Place {
    return toPlace(...(this.#map.getView().getCenter() as [number, number]))
  }

  get shown(): MapPlace {
    return { center: this.center, zoom: this.#zoom }
  }

  show(place: MapPlace) {
    showPlace(this.#map, place)
    this.#fitted = true
  }

  setTrack(track: readonly Place[]) {
    this.#layer.setTrack(track)
    this.#trackPlaces = track
    if (track.length > 1) this.fit()
  }

  /** Fits the view to every terminal with a known position. Without one, the view does not change. */
  fit({ isSmooth = false, durationMs = 0 }: { isSmooth?: boolean; durationMs?: number } = {}) {
    const places = [...this.#trackPlaces]
    for (const { place } of this.#markers.points) if (place) places.push(place)
    if (fitPlaces(this.#map, places, { ...terminalFit, durationMs: isSmooth ? moveMs : durationMs }))
      this.#fitted = true
  }

  /** Zooms in on a position, or out to all terminals. */
  turnTo(place: Place | undefined) {
    if (place) fitPlaces(this.#map, [place], { ...terminalFit, durationMs: turnMs })
    else if (this.#fitted) this.fit({ durationMs: turnMs })
  }

  zoomBy(steps: number) {
    zoomBy(this.#map, steps)
  }

  destroy() {
    this.#map.setTarget(undefined)
    this.#map.dispose()
  }

  get #zoom() {
    return this.#map.getView().getZoom() ?? 0
  }

  #hover(event: MapBrowserEvent) {
    const cluster = this.#findCluster(event)
    this.#map.getTargetElement().style.cursor = cluster === undefined ? '' : 'pointer'
    const clusters = this.#layer.getClusters(this.#zoom)
    const isOne = cluster !== undefined && clusters.size[cluster] === 1
    this.#events.onHover(isOne ? this.#markers.points[clusters.first[cluster] as number]?.id : undefined)
    this.#setHovered(cluster === undefined || isOne ? undefined : { clusters, cluster })
  }

  /** The pointer has left the map. */
  leave() {
    this.#events.onHover(undefined)
    this.#setHovered(undefined)
  }

  #setHovered(hovered: { clusters: Clusters; cluster: number } | undefined) {
    if (hovered?.cluster === this.#hovered?.cluster && hovered?.clusters === this.#hovered?.clusters) return
    this.#hovered = hovered
    this.#events.onHoverCluster(hovered && Array.from(readShares(hovered.clusters, hovered.cluster)))
    this.#map.render()
  }

  #findCluster(event: MapBrowserEvent) {
    const [x, y] = event.coordinate as [number, number]
    return this.#layer.findCluster(x, y, this.#zoom, this.#map.getView().getResolution() ?? 1)
  }

  #click(event: MapBrowserEvent) {
    const cluster = this.#findCluster(event)
    const members = cluster === undefined ? [] : listMembers(this.#layer.getClusters(this.#zoom), cluster)
    const points = members.map((at) => this.#markers.points[at] as MapPoint)
    const places = points.flatMap(({ place }) => (place ? [place] : []))
    if (this.#canSpread(members)) {
      fitPlaces(this.#map, places, { ...clusterFit, durationMs: moveMs })
      this.#events.onPick([])
    } else this.#events.onPick(points.map(({ id }) => id))
    if (cluster === undefined) this.#events.onPlace(toPlace(...(event.coordinate as [number, number])))
  }

  /** Whether zooming in separates these markers. */
  #canSpread(members: readonly number[]) {
    if (members.length < 2) return false
    const closest = this.#layer.computeClusters(clusterFit.maxZoom)
    return members.some((at) => closest.clusterByMarker[at] !== closest.clusterByMarker[members[0] as number])
  }

  #findPosition(id: string | undefined) {
    if (id === undefined) return undefined
    const known = this.#positions.get(id)
    if (known !== undefined) return known
    const at = this.#markers.points.findIndex((point) => point.id === id)
    if (at >= 0) this.#positions.set(id, at)
    return at < 0 ? undefined : at
  }

  #findAnchor(id: string | undefined) {
    const at = this.#findPosition(id)
    if (at === undefined) return undefined
    return this.#toPixel(this.#markers.x, this.#markers.y, at)
  }

  #toPixel(xs: Float64Array, ys: Float64Array, at: number): Anchor {
    const home = xs[at] as number
    const centerX = this.#map.getView().getCenter()?.[0] ?? 0
    // The copy of the world nearest to the center of the view.
    const x = home + Math.round((centerX - home) / worldWidthM) * worldWidthM
    const pixel = this.#map.getPixelFromCoordinate([x, ys[at] as number])
    const [width = 0, height = 0] = this.#map.getSize() ?? []
    if (!pixel) return undefined
    const [px, py] = pixel as [number, number]
    return px >= 0 && py >= 0 && px <= width && py <= height ? { x: px, y: py } : undefined
  }
}
