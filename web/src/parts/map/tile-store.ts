import { buildTileUrl, type Tile } from './tiles.ts'

const loadedAtOnce = 6
const loadTimeoutMs = 15_000
const retryAfterMs = 30_000
/** About three screens; the least recently drawn is evicted first. */
const maxPictures = 300

type Held = HTMLImageElement | { failedAtMs: number }

const toKey = ({ z, x, y }: Tile) => `${z}/${x}/${y}`

/**
 * Loads tile images from a third-party server, a few at a time. A failed one is retried later, and one that hangs is
 * aborted, so that it does not block the others.
 */
export class TileStore {
  readonly #template: string
  readonly #onTileSettled: (isLoaded: boolean) => void
  readonly #held = new Map<string, Held>()
  readonly #loading = new Map<string, AbortController>()
  #wanted: readonly Tile[] = []

  constructor(template: string, onTileSettled: (isLoaded: boolean) => void) {
    this.#template = template
    this.#onTileSettled = onTileSettled
  }

  find(tile: Tile): HTMLImageElement | undefined {
    const key = toKey(tile)
    const held = this.#held.get(key)
    if (!(held instanceof HTMLImageElement)) return undefined
    this.#held.delete(key)
    this.#held.set(key, held)
    return held
  }

  /** The tiles in view, in the order in which to load them. Earlier requests that have not started are dropped. */
  want(tiles: readonly Tile[]) {
    this.#wanted = tiles
    this.#loadNext()
  }

  close() {
    this.#wanted = []
    for (const stop of this.#loading.values()) stop.abort()
  }

  #loadNext() {
    for (const tile of this.#wanted) {
      if (this.#loading.size >= loadedAtOnce) return
      const key = toKey(tile)
      const held = this.#held.get(key)
      const isDue = held === undefined || ('failedAtMs' in held && Date.now() - held.failedAtMs > retryAfterMs)
      if (isDue && !this.#loading.has(key)) void this.#load(tile, key)
    }
  }

  async #load(tile: Tile, key: string) {
    const stop = new AbortController()
    this.#loading.set(key, stop)
    const picture = await loadPicture(buildTileUrl(this.#template, tile), stop.signal)
    this.#loading.delete(key)
    if (stop.signal.aborted) return
    this.#held.set(key, picture ?? { failedAtMs: Date.now() })
    if (this.#held.size > maxPictures) this.#held.delete(this.#held.keys().next().value as string)
    this.#onTileSettled(picture !== undefined)
    this.#loadNext()
  }
}

async function loadPicture(address: string, signal: AbortSignal) {
  const picture = new Image()
  const { promise: givenUp, reject: giveUp } = Promise.withResolvers<never>()
  const timer = setTimeout(giveUp, loadTimeoutMs)
  signal.addEventListener('abort', giveUp)
  picture.src = address
  try {
    await Promise.race([picture.decode(), givenUp])
    return picture
  } catch {
    // Aborts a pending request.
    picture.src = ''
    return undefined
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
  }
}
