import { parseHex, type Rgb, readableOn, toHex } from '#contract/contrast.ts'

const WHITE: Rgb = [255, 255, 255]
const NIGHT: Rgb = [12, 22, 49]

/**
 * A brand color adjusted for text on our light and dark cards. As a background, the first contrasts with white and the
 * second with black.
 */
export const chooseReadableAccents = (color: string) => {
  const wanted = parseHex(color) ?? WHITE
  return { light: toHex(readableOn(wanted, WHITE, 4.5)), dark: toHex(readableOn(wanted, NIGHT, 4.5)) }
}
