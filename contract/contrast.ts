export type Rgb = [red: number, green: number, blue: number]

/** '#0b7' or '#00bb77'; anything else is not a color. */
export function parseHex(text: string): Rgb | undefined {
  const digits = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text.trim())?.[1]
  if (!digits) return undefined
  const full = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  return [0, 2, 4].map((start) => Number.parseInt(full.slice(start, start + 2), 16)) as Rgb
}

export const toHex = (rgb: Rgb) => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

export const mix = (from: Rgb, to: Rgb, share: number) =>
  from.map((part, index) => part + ((to[index] as number) - part) * share) as Rgb

/** Relative luminance and contrast as WCAG defines them. */
export function computeLuminance(rgb: Rgb) {
  const [red, green, blue] = rgb.map((part) => {
    const level = part / 255
    return level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4
  }) as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function computeContrast(a: Rgb, b: Rgb) {
  const [low, high] = [computeLuminance(a), computeLuminance(b)].sort((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** The color nearest to `wanted`, made darker or lighter, that is readable on `ground`. */
export function readableOn(wanted: Rgb, ground: Rgb, ratio: number): Rgb {
  const end = computeLuminance(ground) > 0.18 ? 0 : 1
  for (let share = 0; share < 1; share += 0.02) {
    const candidate = moveLightness(wanted, end, share)
    if (computeContrast(candidate, ground) >= ratio) return candidate
  }
  return [255 * end, 255 * end, 255 * end]
}

/** Preserves hue and saturation; mixing with white would turn the brand color into a pastel. */
function moveLightness(rgb: Rgb, end: number, share: number): Rgb {
  const low = Math.min(...rgb) / 255
  const high = Math.max(...rgb) / 255
  const lightness = (low + high) / 2
  const moved = lightness + (end - lightness) * share
  const spread = (value: number) => 1 - Math.abs(2 * value - 1)
  const saturation = high === low ? 0 : (high - low) / spread(lightness)
  const scale = high === low ? 0 : (saturation * spread(moved)) / (high - low)
  return rgb.map((part) => 255 * Math.min(1, Math.max(0, moved + (part / 255 - lightness) * scale))) as Rgb
}
