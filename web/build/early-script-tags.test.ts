import { expect, test } from 'vitest'
import { moveScriptTagsUp } from './early-script-tags.ts'

const place = '    <!-- The code is asked for here. -->\n'
const code = '    <script type="module" crossorigin src="/assets/index-$&.js"></script>\n'
const larger = '    <link rel="modulepreload" crossorigin href="/assets/react.js">\n'
const early = '    <script>ask()</script>\n'
const style = '    <link rel="stylesheet" href="/assets/index.css">\n'
const bytesOf = (path: string) => (path === 'assets/react.js' ? 2 : 1)

test('the code stands where the page has its place, before what else it asks for, the largest file first', () => {
  expect(moveScriptTagsUp(`<head>\n${place}${early}${code}${larger}${style}</head>`, bytesOf)).toBe(
    `<head>\n${larger}${code}${early}${style}</head>`,
  )
})

test('a page without a place for it is a fault of the build', () => {
  expect(() => moveScriptTagsUp(`<head>${code}</head>`, bytesOf)).toThrow()
  expect(() => moveScriptTagsUp(`<head>${place}</head>`, bytesOf)).toThrow()
})
