import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const sizes = ['12px', '14px', '18px', '28px', 'inherit']
/** Phones zoom into fields whose text is smaller. */
const signInSize = '16px'

// The wall is read from across a room: its sizes are shares of its height.
const isOnWall = (path: string) => path.endsWith('Wall.module.css')

test('styles use the four sizes of type', () => {
  const others = globSync('**/*.css', { cwd: root })
    .filter((path) => !isOnWall(path))
    .flatMap((path) =>
      [...readFileSync(`${root}/${path}`, 'utf8').matchAll(/font-size:\s*([^;]+);/g)].map(([, size]) => ({
        path,
        size,
      })),
    )
    .filter(
      ({ path, size }) => !sizes.includes(String(size)) && !(path === 'ui/Field.module.css' && size === signInSize),
    )
  expect(others).toEqual([])
})
