import { readdirSync, readFileSync } from 'node:fs'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { createAppRouter } from './routes.tsx'

const folder = new URL('../../e2e/', import.meta.url)

/** The journeys that `npm test` runs, each with the functions of its file that it may call. */
const coreJourneys = readdirSync(folder)
  .filter((name) => name.endsWith('.spec.ts'))
  .flatMap((name) => {
    const [functions, ...parts] = readFileSync(new URL(name, folder), 'utf8').split(/^(?=test(?:\.(?:for|each))?\()/m)
    const tests = parts.map((part) => {
      const end = part.search(/^(\}| {2}\})\)$|^\},?\)$|^\)$/m)
      return { test: part.slice(0, end), after: part.slice(end) }
    })
    const shared = [functions, ...tests.map(({ after }) => after)].join('\n')
    // The variants of a brand are tagged where they are listed.
    return tests.flatMap(({ test }) => (/'@core'|tag\b[^\n]*async|tag,/.test(test) ? [`${shared}\n${test}`] : []))
  })

const isOpenedBy = (path: string, journey: string) => {
  const start = path.replace(/\$.*$/, '')
  const places = [`'${start}'`, `'${start}?`, `\`${start}`, `}${start}`, `goTo('${start}`]
  // The page object of the terminal page.
  if (start === '/terminal/') places.push('new TerminalPage(')
  return places.some((place) => journey.includes(place))
}

const paths = Object.keys(createAppRouter(new QueryClient()).routesByPath)

test('the route table has pages', () => expect(paths.length).toBeGreaterThan(10))

test.each(paths)('a journey of `npm test` opens %s', (path) => {
  expect(coreJourneys.filter((journey) => isOpenedBy(path, journey)).length).toBeGreaterThan(0)
})
