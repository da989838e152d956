import type { MapScheme } from './base-layer.ts'
import { CachedLayer } from './cached-layer.ts'
import type { Frame } from './canvas-layer.ts'
import type { Box } from './name-places.ts'
import { drawPlaceNames, loadPlaceNames } from './place-names.ts'

/** Below this zoom only oceans would be named. */
const namesFromZoom = 1.5

const colors = {
  light: { water: '#475f7c', town: '#3b4757', halo: '#f6f8fa' },
  dark: { water: '#8fa6c4', town: '#b6c2d4', halo: '#0a1222' },
}

/** Areas that names must not cover. */
export interface Markers {
  listBoxes: (frame: Frame) => Box[]
  /** Changes when a box does. */
  getLayoutKey: (zoom: number) => string
}

/** The names of towns and waters. A separate layer, because each letter of a search moves the names, but not the land. */
export class NameLayer extends CachedLayer {
  #names: Awaited<ReturnType<typeof loadPlaceNames>> | undefined
  #isLoading = false
  #isCovered = true
  #scheme: MapScheme
  readonly #markers: Markers

  constructor(scheme: MapScheme, markers: Markers) {
    super('map-names')
    this.#scheme = scheme
    this.#markers = markers
  }

  /** Tiles include names. */
  setCovered(isCovered: boolean) {
    this.#isCovered = isCovered
    this.changed()
  }

  setScheme(scheme: MapScheme) {
    this.#scheme = scheme
    this.changed()
  }

  #load() {
    this.#isLoading = true
    loadPlaceNames().then(
      (names) => {
        this.#names = names
        this.changed()
      },
      (error) => console.warn('The names of the map did not load:', error),
    )
  }

  protected describeStyle({ scale, width, height, pixelRatio, zoom }: Frame) {
    if (this.#isCovered) return 'covered'
    const layout = this.#names && this.#markers.getLayoutKey(zoom)
    return [scale, width, height, pixelRatio, this.#scheme, layout].join()
  }

  protected paint(frame: Frame) {
    if (this.#isCovered) return
    if (!this.#isLoading && frame.zoom > namesFromZoom) this.#load()
    if (this.#names) drawPlaceNames(frame, this.#names, this.#markers.listBoxes(frame), colors[this.#scheme])
  }
}
