/** An image with one integer per pixel: red in the lowest byte, then green, blue and alpha, the layout of ImageData. */
export interface Raster {
  width: number
  height: number
  pixels: Uint32Array
}

export const toRaster = ({ width, height, data }: Pick<ImageData, 'width' | 'height' | 'data'>): Raster => ({
  width,
  height,
  pixels: new Uint32Array(data.buffer, data.byteOffset, width * height),
})

/** An image that is drawn many times. */
export interface Stamp extends Raster {
  /** The columns where the opaque middle of each row begins and ends, two per row. */
  opaque: Uint16Array
}

export function toStamp({ width, height, pixels }: Raster): Stamp {
  const opaque = new Uint16Array(2 * height)
  for (let row = 0; row < height; row++) {
    const isOpaque = (column: number) => column < width && (pixels[row * width + column] as number) >= 0xff000000
    let from = 0
    while (from < width && !isOpaque(from)) from++
    let to = from
    while (isOpaque(to)) to++
    opaque.set([from, to], 2 * row)
  }
  return { width, height, pixels, opaque }
}

/**
 * Draws a stamp over an image with its top left corner at x and y. Without a graphics card, drawing thousands of small
 * ones takes a tenth of the time that a canvas takes.
 */
export function blit(top: Stamp, below: Raster, x: number, y: number) {
  const from = Math.max(0, -x)
  const to = Math.min(top.width, below.width - x)
  const last = Math.min(top.height, below.height - y)
  for (let row = Math.max(0, -y); row < last; row++) {
    const own = row * top.width
    const start = (y + row) * below.width + x
    const opaqueFrom = Math.min(to, Math.max(from, top.opaque[2 * row] as number))
    const opaqueTo = Math.min(to, Math.max(from, top.opaque[2 * row + 1] as number))
    mix(top.pixels, own + from, own + opaqueFrom, below.pixels, start + from)
    for (let column = opaqueFrom; column < opaqueTo; column++)
      below.pixels[start + column] = top.pixels[own + column] as number
    mix(top.pixels, own + opaqueTo, own + to, below.pixels, start + opaqueTo)
  }
}

function mix(top: Uint32Array, from: number, to: number, below: Uint32Array, onto: number) {
  for (let at = from; at < to; at++) {
    const pixel = top[at] as number
    if (pixel < 0x01000000) continue
    const under = below[onto + at - from] as number
    below[onto + at - from] = pixel >= 0xff000000 || under < 0x01000000 ? pixel : blend(pixel, under)
  }
}

function blend(top: number, below: number) {
  const alpha = top >>> 24
  if (below >= 0xff000000) return blendOverOpaque(top, below, alpha + (alpha >>> 7))
  const belowAlpha = ((below >>> 24) * (255 - alpha)) / 255
  const sum = alpha + belowAlpha
  let mixed = Math.round(sum) << 24
  for (let shift = 0; shift < 24; shift += 8)
    mixed |= Math.round((((top >>> shift) & 255) * alpha + ((below >>> shift) & 255) * belowAlpha) / sum) << shift
  return mixed >>> 0
}

/** The most frequent case in a crowd of markers. Mixes red and blue in one multiplication, by a weight of 0 to 256. */
function blendOverOpaque(top: number, below: number, weight: number) {
  const redBlue = (((top & 0xff00ff) * weight + (below & 0xff00ff) * (256 - weight)) >>> 8) & 0xff00ff
  const green = ((((top >>> 8) & 255) * weight + ((below >>> 8) & 255) * (256 - weight)) >>> 8) << 8
  return (0xff000000 | redBlue | green) >>> 0
}
