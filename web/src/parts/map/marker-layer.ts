import { type ShownStatus, shownStatuses } from '../status.ts'
import type { MapScheme } from './base-layer.ts'
import { CanvasLayer, type Frame } from './canvas-layer.ts'
import { type Clusters, clusterMarkers, readShares } from './clusters.ts'
import { type Markers, markerSizePx, noMarkers } from './markers.ts'
import { mercatorX, mercatorY, type Place, worldWidthM } from './mercator.ts'
import type { Box } from './name-places.ts'
import { clusterSizePx, drawClusterSize, findWorst, Sprites, setClusterText, worstFirst } from './sprites.ts'
import { unwrapLongitudes } from './unwrap.ts'

/** Markers closer than this overlap and are drawn as one. */
const cellPx = 36
const tilePx = 256

/** Draws markers, clusters of them and the track of a vessel on one canvas. */
export class MarkerLayer extends CanvasLayer {
  #markers: Markers = noMarkers
  #track: Float64Array = new Float64Array()
  #highlighted: number | undefined
  #scheme: MapScheme
  #sprites: { key: string; sprites: Sprites } | undefined
  #clusters: { level: number; of: Markers; clusters: Clusters } | undefined
  #layout: { of: Clusters; key: string } | undefined

  constructor(scheme: MapScheme) {
    super('map-markers')
    this.#scheme = scheme
  }

  setScheme(scheme: MapScheme) {
    this.#scheme = scheme
    this.changed()
  }

  setMarkers(markers: Markers) {
    this.#markers = markers
    this.changed()
  }

  setTrack(track: readonly Place[]) {
    const points = track.flatMap(([latitude, longitude]) => [mercatorX(longitude), mercatorY(latitude)])
    this.#track = unwrapLongitudes(Float64Array.from(points))
    this.changed()
  }

  highlight(at: number | undefined) {
    if (at === this.#highlighted) return
    this.#highlighted = at
    this.changed()
  }

  /** Cached per half zoom level, so that clusters do not change with each step of an animation. */
  getClusters(zoom: number): Clusters {
    const level = Math.floor(zoom * 2) / 2
    const known = this.#clusters
    if (known?.level === level && known.of === this.#markers) return known.clusters
    this.#clusters = { level, of: this.#markers, clusters: this.computeClusters(level) }
    return this.#clusters.clusters
  }

  computeClusters(level: number): Clusters {
    return clusterMarkers(this.#markers, (cellPx * worldWidthM) / (tilePx * 2 ** level))
  }

  /** The cluster drawn at a point in Mercator meters; most have one member. */
  findCluster(x: number, y: number, zoom: number, resolution: number): number | undefined {
    const clusters = this.getClusters(zoom)
    let found: number | undefined
    let closest = Number.POSITIVE_INFINITY
    for (let cluster = 0; cluster < clusters.size.length; cluster++) {
      const size = clusters.size[cluster] as number
      const reachPx = size === 1 ? markerSizePx(zoom) / 2 + 3 : clusterSizePx(size) / 2
      const across = x - (clusters.x[cluster] as number)
      // Every copy of the world shows the same markers.
      const dx = across - Math.round(across / worldWidthM) * worldWidthM
      const distance = Math.hypot(dx, y - (clusters.y[cluster] as number))
      if (distance > reachPx * resolution || distance >= closest) continue
      closest = distance
      found = cluster
    }
    return found
  }

  /** The boxes of the markers and clusters in view, in pixels. */
  listBoxes({ scale, minX, maxY, width, height, zoom, worlds }: Frame): Box[] {
    const clusters = this.getClusters(zoom)
    const boxes: Box[] = []
    for (const world of worlds)
      for (let cluster = 0; cluster < clusters.size.length; cluster++) {
        const half = this.#getSizePx(clusters.size[cluster] as number, zoom) / 2
        const px = ((clusters.x[cluster] as number) + world - minX) * scale
        const py = (maxY - (clusters.y[cluster] as number)) * scale
        if (px < -half || py < -half || px > width + half || py > height + half) continue
        boxes.push({ left: px - half, top: py - half, right: px + half, bottom: py + half })
      }
    return boxes
  }

  /** Statuses change all the time, the positions of markers hardly ever. */
  getLayoutKey(zoom: number) {
    const clusters = this.getClusters(zoom)
    if (this.#layout?.of !== clusters) {
      this.#layout = { of: clusters, key: [clusters.x, clusters.y, clusters.size].map(digest).join() }
    }
    return this.#layout.key
  }

  #getSizePx(size: number, zoom: number) {
    return size === 1 ? Math.round(markerSizePx(zoom)) : clusterSizePx(size)
  }

  draw(frame: Frame) {
    const sprites = this.#getSprites(frame.pixelRatio)
    for (const world of frame.worlds) this.#drawTrack(frame, world)
    for (const world of frame.worlds) this.#drawClusters(frame, world, sprites)
    if (this.#highlighted !== undefined)
      for (const world of frame.worlds) this.#drawHighlight(frame, world, this.#highlighted, sprites)
  }

  #drawClusters(frame: Frame, world: number, sprites: Sprites) {
    const { context, scale, minX, maxY, width, height, zoom } = frame
    const clusters = this.getClusters(zoom)
    const marginPx = 32
    const inView: { cluster: number; worst: ShownStatus; px: number; py: number }[] = []
    for (let cluster = 0; cluster < clusters.size.length; cluster++) {
      const px = ((clusters.x[cluster] as number) + world - minX) * scale
      const py = (maxY - (clusters.y[cluster] as number)) * scale
      if (px < -marginPx || py < -marginPx || px > width + marginPx || py > height + marginPx) continue
      inView.push({ cluster, worst: findWorst(readShares(clusters, cluster)), px, py })
    }
    // The worst status is drawn last, so that it is on top where markers touch.
    inView.sort((a, b) => worstFirst.indexOf(b.worst) - worstFirst.indexOf(a.worst) || a.cluster - b.cluster)
    setClusterText(context, this.#scheme)
    for (const { cluster, worst, px, py } of inView) {
      const size = clusters.size[cluster] as number
      const sizePx = this.#getSizePx(size, zoom)
      const [left, top] = [Math.round(px - sizePx / 2), Math.round(py - sizePx / 2)]
      const image =
        size === 1 ? sprites.getMarker(worst, sizePx) : sprites.getRing(sizePx, readShares(clusters, cluster))
      context.drawImage(image, left, top, sizePx, sizePx)
      if (size > 1) drawClusterSize(context, size, left + sizePx / 2, top + sizePx / 2)
    }
  }

  #drawTrack({ context, scale, minX, maxY }: Frame, world: number) {
    const track = this.#track
    if (track.length < 4) return
    context.beginPath()
    for (let at = 0; at < track.length; at += 2) {
      const px = ((track[at] as number) + world - minX) * scale
      const py = (maxY - (track[at + 1] as number)) * scale
      if (at === 0) context.moveTo(px, py)
      else context.lineTo(px, py)
    }
    context.lineJoin = context.lineCap = 'round'
    context.strokeStyle = this.#scheme === 'dark' ? '#020617' : '#ffffff'
    context.lineWidth = 5
    context.stroke()
    context.strokeStyle = this.#scheme === 'dark' ? '#7dd3fc' : '#0369a1'
    context.lineWidth = 2
    context.stroke()
  }

  #drawHighlight({ context, scale, minX, maxY, zoom }: Frame, world: number, at: number, sprites: Sprites) {
    const status = shownStatuses[this.#markers.kind[at] as number]
    if (!status) return
    const px = ((this.#markers.x[at] as number) + world - minX) * scale
    const py = (maxY - (this.#markers.y[at] as number)) * scale
    const large = Math.round(markerSizePx(zoom) * 1.4)
    context.beginPath()
    context.arc(px, py, large * 0.75, 0, 2 * Math.PI)
    context.fillStyle = this.#scheme === 'dark' ? 'rgb(226 232 240 / 0.25)' : 'rgb(15 23 42 / 0.16)'
    context.fill()
    context.drawImage(sprites.getMarker(status, large), px - large / 2, py - large / 2, large, large)
  }

  #getSprites(pixelRatio: number) {
    const key = `${pixelRatio}/${this.#scheme}`
    if (this.#sprites?.key !== key) this.#sprites = { key, sprites: new Sprites(this.#scheme, pixelRatio) }
    return this.#sprites.sprites
  }
}

const digest = (numbers: Iterable<number>) => {
  let sum = 0
  for (const number of numbers) sum = (sum * 31 + number) % 1e12
  return sum
}
