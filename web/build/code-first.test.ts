import { expect, test } from 'vitest'
import { withCodeFirst } from './code-first.ts'

const place = '    <!-- The code is asked for here. -->\n'
const code = '    <script type="module" crossorigin src="/assets/index-$&.js"></script>\n'
const early = '    <script>ask()</script>\n'
const style = '    <link rel="stylesheet" href="/assets/index.css">\n'

test('the code stands where the page has its place, before what else it asks for', () => {
  expect(withCodeFirst(`<head>\n${place}${early}${code}${style}</head>`)).toBe(`<head>\n${code}${early}${style}</head>`)
})

test('a page without a place for it is a fault of the build', () => {
  expect(() => withCodeFirst(`<head>${code}</head>`)).toThrow()
  expect(() => withCodeFirst(`<head>${place}</head>`)).toThrow()
})
