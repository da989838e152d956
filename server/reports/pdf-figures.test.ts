import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { renderDocument } from './pdf-document.ts'
import { loadFonts, replaceUnknownLetters } from './pdf-fonts.ts'
import { renderFramed } from './pdf-frame.ts'
import { buildFigures } from './testing/figures.ts'

const frame = {
  brand: { company: 'Harbor', color: '#0f766e', supportPhone: undefined, supportEmail: undefined },
  logo: undefined,
  name: 'Weekly',
  about: 'about',
  subtitle: '',
  timeZone: 'UTC',
  madeAt: new Date(0),
}

const renderTitle = (title: string) => renderFramed({ ...frame, title } as never, [])

/** The uncompressed parts of the file. */
const readParts = (file: Uint8Array) => {
  const pdf = Buffer.from(file).toString('latin1')
  return [...pdf.matchAll(/stream\n([\s\S]*?)\nendstream/g)].flatMap(([, bytes]) => {
    try {
      return [inflateSync(Buffer.from(bytes as string, 'latin1')).toString('latin1')]
    } catch {
      return []
    }
  })
}

const readStreams = async (title: string) => readParts(await renderTitle(title))

/** How far glyphs are moved toward the one before them, in thousandths of the size of the text. */
const listMoves = async (title: string) => {
  const streams = await readStreams(title)
  const lines = streams.flatMap((text) => [...text.matchAll(/\[(.*?)\] TJ/g)].map(([, line]) => line as string))
  return lines.flatMap((line) => [...line.matchAll(/> (-?[\d.]+)/g)].map(([, moved]) => Number(moved)))
}

test('the point of a figure stands between its digits, whichever they are', async () => {
  const moves = await listMoves('187.17 GB')
  expect(moves.length).toBeGreaterThan(0)
  expect(Math.max(...moves)).toBeLessThan(100)
})

test('a hyphen in a name is narrower than a digit of a column', async () => {
  const pdf = Buffer.from(await renderTitle('A-1')).toString('latin1')
  // The widths of the glyphs of each font, in the order of their first use.
  const [, widths] = [...pdf.matchAll(/\/W \[0 \[([\d. ]+)\]\]/g)].map(([, list]) => (list as string).split(' '))
  expect(widths?.slice(0, -2).at(-1)).toMatch(/^7/)
  expect(Number(widths?.at(-2))).toBeLessThan(500)
})

test('text with an apostrophe can be found, also after a document that has only commas', async () => {
  await readStreams('1,347 GB')
  const maps = (await readStreams('The vendor’s days.')).filter((stream) => stream.includes('begincmap'))
  for (const codePoint of ['2019', '002e']) expect(maps.join().toLowerCase()).toContain(codePoint)
})

test('a name without spaces is broken where its line ends, without a hyphen', async () => {
  const lines = (await readStreams('N'.repeat(100)))
    .flatMap((stream) => [...stream.matchAll(/\[(.*?)\] TJ/g)])
    .map(([, line]) => [...(line as string).matchAll(/[\da-f]{4}(?=[\da-f]*>)/gi)].map(String))
    // Lines with a hyphen, or any other text, have several glyphs.
    .filter((glyphs) => glyphs.length > 10 && new Set(glyphs).size === 1)
  expect(lines.flat()).toHaveLength(100)
  // As many as fit on a page.
  expect(Math.max(...lines.map((glyphs) => glyphs.length))).toBeLessThan(60)
})

test.for<[script: string, text: string]>([
  ['Inupiaq', 'Utqiaġvik, Ŋuniq, Sił̣iq, Kaŋiġḷuk, Ñaġñiq'],
  ['Yupik and Hawaiian', 'Kuigpagmiut r̂aĝaŷ, Hawaiʻi Ōʻahu'],
  ['Vietnamese', 'Trường học Đà Nẵng, ấềổữỵ'],
  ['Greek', 'Σχολείο Αθήνας, ώύήΐΰ'],
  ['Cyrillic', 'Школа Нома, Україна їєґ, Қазақстан ңғүұ'],
])('names in %s are printed as they are, composed or not, and can be found', async ([, text]) => {
  await loadFonts()
  const name = text.normalize('NFC')
  for (const form of ['NFC', 'NFD']) expect(replaceUnknownLetters(text.normalize(form))).toBe(name)
  const maps = (await readStreams(name)).filter((stream) => stream.includes('begincmap'))
  const letters = [...new Set(name)].filter((letter) => /\p{L}/u.test(letter))
  const isMapped = (letter: string) =>
    maps
      .join()
      .toLowerCase()
      .includes((letter.codePointAt(0) as number).toString(16).padStart(4, '0'))
  expect(letters.filter((letter) => !isMapped(letter))).toEqual([])
})

test('no label of a report is cut off', async () => {
  const parts = readParts(
    await renderDocument({ ...frame, report: buildFigures(null, 'Nome'), logo: undefined } as never),
  )
  // The fonts in the file contain the letters that it uses, and a cut text ends with an ellipsis.
  expect(parts.filter((part) => part.includes('begincmap')).join()).not.toContain('<2026>')
})

test('letters that the font lacks are replaced, in all texts and nothing else', async () => {
  await loadFonts()
  const at = new Date(0)
  expect(
    replaceUnknownLetters({
      name: 'Нома 東京',
      at,
      lines: [{ name: 'Utqiaġvik', gb: 1.5, group: null }, { name: 'القطب' }],
    }),
  ).toEqual({ name: 'Нома □□', at, lines: [{ name: 'Utqiaġvik', gb: 1.5, group: null }, { name: '□□□□□' }] })
})
