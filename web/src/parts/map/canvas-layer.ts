import Layer from 'ol/layer/Layer.js'
import type { FrameState } from 'ol/Map.js'
import { worldsBetween, worldWidthM } from './mercator.ts'

/** What a layer needs to draw one frame: a canvas in CSS pixels and the transform from meters to pixels. */
export interface Frame {
  context: CanvasRenderingContext2D
  width: number
  height: number
  zoom: number
  /** Pixels per meter, and the meters at the top left corner. */
  scale: number
  minX: number
  maxY: number
  pixelRatio: number
  /** Offsets in meters of the world copies in view. */
  worlds: number[]
}

/** A map layer that is a function from the view to a canvas. */
export abstract class CanvasLayer extends Layer {
  readonly #canvas = document.createElement('canvas')

  constructor(className: string) {
    super({ className })
    this.#canvas.className = className
    Object.assign(this.#canvas.style, { position: 'absolute', width: '100%', height: '100%' })
  }

  abstract draw(frame: Frame): void

  /** Whether the canvas already shows this frame. */
  protected isDrawn(_frame: Frame) {
    return false
  }

  override render(state: FrameState) {
    const [width, height] = state.size as [number, number]
    const { pixelRatio } = state
    const canvas = this.#canvas
    const context = canvas.getContext('2d') as CanvasRenderingContext2D
    const { center, resolution, zoom } = state.viewState
    const minX = (center[0] as number) - (width / 2) * resolution
    const maxY = (center[1] as number) + (height / 2) * resolution
    const worlds = worldsBetween(minX, minX + width * resolution).map((world) => world * worldWidthM)
    const frame = { context, width, height, zoom, scale: 1 / resolution, minX, maxY, pixelRatio, worlds }
    if (this.isDrawn(frame)) return canvas
    if (canvas.width !== Math.round(width * pixelRatio)) canvas.width = Math.round(width * pixelRatio)
    if (canvas.height !== Math.round(height * pixelRatio)) canvas.height = Math.round(height * pixelRatio)
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0)
    context.clearRect(0, 0, width, height)
    this.draw(frame)
    return canvas
  }
}
