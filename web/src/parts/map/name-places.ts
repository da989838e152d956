export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

const lineHeightPx = 16
const gapPx = 8
/** The distance from the dot of a town to the center of its name below or above it. */
const belowPx = 14
/** The same if a marker covers the town. */
const belowMarkerPx = 26
const besidePx = 6
const besideMarkerPx = 18

const overlaps = (a: Box, b: Box) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top

interface Placed {
  left: number
  middle: number
}

/** Candidate positions for the name of a town, preferred ones first; waters have a fixed position. */
function* listPlaces(px: number, py: number, widthPx: number, isWater: boolean): Generator<Placed> {
  const centered = px - widthPx / 2
  if (isWater) {
    yield { left: centered, middle: py }
    return
  }
  yield { left: centered, middle: py + belowPx }
  yield { left: centered, middle: py + belowMarkerPx }
  for (const away of [besidePx, besideMarkerPx]) yield { left: px + away, middle: py }
  for (const away of [besidePx, besideMarkerPx]) yield { left: px - away - widthPx, middle: py }
  yield { left: centered, middle: py - belowPx }
  yield { left: centered, middle: py - belowMarkerPx }
}

/** Places names so that none covers a marker or another name. Call it in order of importance. */
export class NamePlacer {
  readonly #markers: readonly Box[]
  readonly #names: Box[] = []

  constructor(markers: readonly Box[]) {
    this.#markers = markers
  }

  /** The position of the name, or undefined if there is no room. */
  place(px: number, py: number, widthPx: number, isWater: boolean): Placed | undefined {
    for (const place of listPlaces(px, py, widthPx, isWater)) {
      const [top, bottom] = [place.middle - lineHeightPx / 2, place.middle + lineHeightPx / 2]
      const box = { left: place.left, top, right: place.left + widthPx, bottom }
      const wide = { ...box, left: box.left - gapPx, right: box.right + gapPx }
      if (this.#names.some((other) => overlaps(wide, other)) || this.#markers.some((other) => overlaps(box, other)))
        continue
      this.#names.push(wide)
      return place
    }
    return undefined
  }
}
