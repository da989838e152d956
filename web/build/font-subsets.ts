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

interface Face {
  name: string
  min: string
  max: string
  range: string
}

const FACE =
  /font-weight: (?<min>\d+) (?<max>\d+);\s*[^}]*?url\("(?<name>inter-[a-z]+\.woff2)"\)[^}]*?unicode-range:(?<range>[^;]+);/g

/** The faces of `fonts.css` that are parts of the Latin font. */
const readFaces = async () => {
  const styles = await readFile(stylesPath, 'utf8')
  return [...styles.matchAll(FACE)].map(({ groups }) => groups as unknown as Face)
}

const readFont = (name: string) => {
  const require = createRequire(import.meta.url)
  return readFile(require.resolve(`@fontsource-variable/inter/files/${name}-wght-normal.woff2`))
}

/** Writes the files of the faces, with the characters and weights that they name. */
const writeSubsets = async (faces: readonly Face[]) => {
  const [latin, extended] = await Promise.all([readFont('inter-latin'), readFont('inter-latin-ext')])
  await mkdir(folder, { recursive: true })
  return Promise.all(
    faces.map(async ({ name, min, max, range }) => {
      const axes = { wght: { min: Number(min), max: Number(max) } }
      const source = name === 'inter-ext.woff2' ? extended : latin
      const subset = await subsetFont(source, listCharacters(range), { targetFormat: 'woff2', variationAxes: axes })
      const path = fileURLToPath(new URL(name, folder))
      await writeFile(path, subset)
      return [name, path] as const
    }),
  )
}

const writeFace = ({ min, max, range }: Face, fileName: string) =>
  `@font-face { font-family: Inter; font-weight: ${min} ${max}; font-display: swap; src: url(/${fileName}) format('woff2');
  unicode-range: ${range.trim()} }`

/** The fonts of the app, and `font.css` with their styles for the pages that the server renders without the app. */
export const fontSubsets = (): Plugin => ({
  name: 'font-subsets',
  config: async () => ({ resolve: { alias: Object.fromEntries(await writeSubsets(await readFaces())) } }),
  async generateBundle(_, bundle) {
    const files = Object.values(bundle)
    const rules = (await readFaces()).map((face) => {
      const file = files.find((each) => each.type === 'asset' && each.names.includes(face.name))
      if (!file) throw new Error(`The build has no file of ${face.name}.`)
      return writeFace(face, file.fileName)
    })
    this.emitFile({ type: 'asset', fileName: 'font.css', source: rules.join('\n') })
  },
})
