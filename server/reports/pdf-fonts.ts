import { createRequire } from 'node:module'
import { Font } from '@react-pdf/renderer'

const require = createRequire(import.meta.url)

export const FONT = 'Inter'
const WEIGHTS = [400, 600]

// Uncompressed fonts: the library would decompress them again for each document.
Font.register({
  family: FONT,
  fonts: [
    { src: require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'), fontWeight: 400 },
    { src: require.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'), fontWeight: 600 },
  ],
})
/** A longer one could be wider than its column. */
const LONGEST_WORD = 20
// Names are not hyphenated: without an empty part, the library would put a hyphen where a long one is broken.
Font.registerHyphenationCallback((word) =>
  word.length <= LONGEST_WORD ? [word] : [...word].flatMap((letter) => [letter, '']),
)

// Without ligatures and alternates, which take most of the time, and without kerning: the library would move the decimal
// point of 187.17 under its neighbors, and it would read 18717.
export const TEXT_FEATURES = { calt: 0, ccmp: 0, locl: 0, rlig: 0, liga: 0, clig: 0, kern: 0 }
/** For columns of numbers. In a name, hyphens would be as wide as digits. */
export const FIGURE_FEATURES = { ...TEXT_FEATURES, tnum: 1 }

interface LoadedFont {
  characterSet: number[]
  glyphForCodePoint: (codePoint: number) => unknown
  hasGlyphForCodePoint: (codePoint: number) => boolean
}

/** Shares its glyph with a letter that nobody writes. */
const APOSTROPHE = 0x2019
/** Names for variants of other characters, such as digits of equal width. */
const isPrivate = (codePoint: number) => codePoint >= 0xe000 && codePoint <= 0xf8ff

let loadedFont: LoadedFont | undefined

const loadGlyphs = async (fontWeight: number) => {
  const wanted = { fontFamily: FONT, fontWeight, fontStyle: 'normal' as const }
  await Font.load(wanted)
  const font = Font.getFont(wanted)?.data as unknown as LoadedFont
  loadedFont = font
  for (const codePoint of [APOSTROPHE, ...font.characterSet])
    if (!isPrivate(codePoint)) font.glyphForCodePoint(codePoint)
}

let loaded: Promise<unknown> | undefined

/**
 * Loads each glyph by its character. The library caches a glyph that it first meets as a part of another one without its
 * character, as that of the apostrophe in a comma: later documents then break words and cannot be searched.
 */
export const loadFonts = () => {
  loaded ??= Promise.all(WEIGHTS.map(loadGlyphs))
  return loaded
}

/** In place of a letter that the font lacks. */
export const UNKNOWN_LETTER = '□'

const replaceInText = (text: string) => {
  const font = loadedFont as LoadedFont
  return [...text.normalize('NFC')]
    .map((letter) => (font.hasGlyphForCodePoint(letter.codePointAt(0) as number) ? letter : UNKNOWN_LETTER))
    .join('')
}

/**
 * Replaces letters that the font lacks, as those of Chinese and Arabic, in all texts of plain data: the library would print
 * other letters on top of each other, and the accents of decomposed letters beside them. The fonts are loaded before.
 */
export const replaceUnknownLetters = <Value>(value: Value): Value => {
  if (typeof value === 'string') return replaceInText(value) as Value
  if (Array.isArray(value)) return value.map(replaceUnknownLetters) as Value
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaceUnknownLetters(each)])) as Value
}
