import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const sheet = readFileSync(here('mantine.css'), 'utf8')

const importedComponents = new Set(
  globSync('**/*.tsx', { cwd: here('..') })
    .map((path) => readFileSync(here(`../${path}`), 'utf8'))
    .flatMap((source) => [...source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)])
    .flatMap((match) => match[1]?.split(',').map((name) => name.trim()) ?? []),
)

test('every component of the library that we use brings its styles', () => {
  const missing = [...importedComponents].filter(
    (name) =>
      existsSync(here(`../../../node_modules/@mantine/core/styles/${name}.css`)) && !sheet.includes(`/${name}.css`),
  )
  expect(missing).toEqual([])
})

test('the sheet keeps the order of the library', () => {
  const whole = readFileSync(here('../../../node_modules/@mantine/core/styles.css'), 'utf8').replaceAll(/\s/g, '')
  const names = [...sheet.matchAll(/styles\/([\w-]+)\.css/g)].map((match) => match[1] as string)
  const places = names.map((name) => {
    const own = readFileSync(here(`../../../node_modules/@mantine/core/styles/${name}.css`), 'utf8')
    return whole.indexOf(own.replaceAll(/\s/g, '').slice(0, 200))
  })
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})
