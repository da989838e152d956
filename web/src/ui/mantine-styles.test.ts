import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const library = (path: string) => here(`../../../node_modules/@mantine/core/${path}`)
const listStyles = (sheet: string) =>
  [...readFileSync(here(sheet), 'utf8').matchAll(/core\/styles\/([\w-]+)\.layer\.css/g)].map(
    ([, name]) => name as string,
  )
const first = listStyles('mantine.css')
const deferred = listStyles('mantine-deferred.css')

const importedComponents = new Set(
  globSync('**/*.tsx', { cwd: here('..') })
    .map((path) => readFileSync(here(`../${path}`), 'utf8'))
    .flatMap((source) => [...source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)])
    .flatMap((match) => match[1]?.split(',').map((name) => name.trim()) ?? []),
)

test('includes the styles of every Mantine component that is imported', () => {
  const missing = [...importedComponents].filter(
    (name) => existsSync(library(`styles/${name}.css`)) && !first.includes(name) && !deferred.includes(name),
  )
  expect(missing).toEqual([])
})

test.each([first, deferred])('lists styles in the order of Mantine', (...names) => {
  const whole = readFileSync(library('styles.css'), 'utf8').replaceAll(/\s/g, '')
  const places = names.map((name) => {
    const own = readFileSync(library(`styles/${name}.css`), 'utf8')
    return whole.indexOf(own.replaceAll(/\s/g, '').slice(0, 200))
  })
  expect(places.length).toBeGreaterThan(10)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})
