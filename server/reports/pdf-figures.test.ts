import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { renderFramed } from './pdf-frame.ts'

const frame = {
  brand: { company: 'Harbor', color: '#0f766e', supportPhone: undefined, supportEmail: undefined },
  ...{ logo: undefined, name: 'Weekly', about: 'about', subtitle: '', timeZone: 'UTC', madeAt: new Date(0) },
}

/** How far glyphs are moved toward the one before them, in thousandths of the size of the text. */
const listMoves = async (title: string) => {
  const pdf = Buffer.from(await renderFramed({ ...frame, title } as never, [])).toString('latin1')
  const streams = [...pdf.matchAll(/stream\n([\s\S]*?)\nendstream/g)].flatMap(([, bytes]) => {
    try {
      return [inflateSync(Buffer.from(bytes as string, 'latin1')).toString('latin1')]
    } catch {
      return []
    }
  })
  const lines = streams.flatMap((text) => [...text.matchAll(/\[(.*?)\] TJ/g)].map(([, line]) => line as string))
  return lines.flatMap((line) => [...line.matchAll(/> (-?[\d.]+)/g)].map(([, moved]) => Number(moved)))
}

test('the point of a figure stands between its digits, whichever they are', async () => {
  const moves = await listMoves('187.17 GB')
  expect(moves.length).toBeGreaterThan(0)
  expect(Math.max(...moves)).toBeLessThan(100)
})
