import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const sizes = ['12px', '14px', '18px', '28px', 'inherit']
/** Phones zoom into fields whose text is smaller. */
const touchFieldSize = '16px'

// The wall is read from across a room: its sizes are shares of its height.
const isOnWall = (path: string) => path.endsWith('Wall.module.css')

const listDeclarations = (property: RegExp) =>
  globSync('**/*.css', { cwd: root }).flatMap((path) =>
    [
      ...readFileSync(`${root}/${path}`, 'utf8').matchAll(
        new RegExp(`^\\s*(?<name>${property.source}):\\s*(?<value>[^;]+);`, 'gm'),
      ),
    ].map(({ groups }) => ({ path, ...(groups as { name: string; value: string }) })),
  )

test('styles use the four sizes of type', () => {
  const others = listDeclarations(/font-size/).filter(
    ({ path, value }) =>
      !isOnWall(path) && !sizes.includes(value) && !(path === 'brand/global.css' && value === touchFieldSize),
  )
  expect(others).toEqual([])
})

test('space is a multiple of 4 px', () => {
  // A pixel or two centers a line, or is the gap between the bars of a chart. A sum names what it is made of.
  const isAllowed = (px: number) => px % 4 === 0 || Math.abs(px) <= 2
  const others = listDeclarations(/(?:row-|column-)?gap|(?:padding|margin)(?:-[a-z-]+)?/).filter(
    ({ value }) =>
      !value.includes('calc(') && [...value.matchAll(/-?[\d.]+(?=px)/g)].some(([px]) => !isAllowed(Number(px))),
  )
  expect(others).toEqual([])
})
