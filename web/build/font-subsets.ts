import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

const stylesPath = new URL('../src/brand/fonts.css', import.meta.url)
const folder = new URL('../../node_modules/.cache/fonts/', import.meta.url)

/** 'U+20-7E, U+A0' → the characters */
const listCharacters = (range: string) =>
  [...range.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/g)]
    .flatMap(([, first = '', last = first]) => {
      const start = Number.parseInt(first, 16)
      return Array.from({ length: Number.parseInt(last, 16) - start + 1 }, (_, index) => start + index)
    })
    .map((codePoint) => String.fromCodePoint(codePoint))
    .join('')

const FACE =
  /font-weight: (?<min>\d+) (?<max>\d+);\s*[^}]*?url\("(?<name>inter-[a-z]+\.woff2)"\)[^}]*?unicode-range:(?<range>[^;]+);/g

/** Writes the files of `fonts.css` that are parts of the Latin font, with the characters and weights that it names. */
const writeSubsets = async () => {
  const require = createRequire(import.meta.url)
  const source = await readFile(require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'))
  await mkdir(folder, { recursive: true })
  const styles = await readFile(stylesPath, 'utf8')
  const faces = [...styles.matchAll(FACE)].map(
    ({ groups }) => groups as { [Name in 'min' | 'max' | 'name' | 'range']: string },
  )
  return Promise.all(
    faces.map(async ({ name, min, max, range }) => {
      const axes = { wght: { min: Number(min), max: Number(max) } }
      const subset = await subsetFont(source, listCharacters(range), { targetFormat: 'woff2', variationAxes: axes })
      const path = fileURLToPath(new URL(name, folder))
      await writeFile(path, subset)
      return [name, path] as const
    }),
  )
}

export const fontSubsets = (): Plugin => ({
  name: 'font-subsets',
  config: async () => ({ resolve: { alias: Object.fromEntries(await writeSubsets()) } }),
})
