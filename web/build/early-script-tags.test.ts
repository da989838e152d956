import { expect, test } from 'vitest'
import { moveScriptTagsUp } from './early-script-tags.ts'

const place = '    <!-- The build puts the script tags here. -->\n'
const code = '    <script type="module" crossorigin src="/assets/index-$&.js"></script>\n'
const larger = '    <link rel="modulepreload" crossorigin href="/assets/react.js">\n'
const early = '    <script>prefetch()</script>\n'
const style = '    <link rel="stylesheet" href="/assets/index.css">\n'
const readSize = (path: string) => (path === 'assets/react.js' ? 2 : 1)

test('puts the script tags at their place before other requests, the largest file first', () => {
  expect(moveScriptTagsUp(`<head>\n${place}${early}${code}${larger}${style}</head>`, readSize)).toBe(
    `<head>\n${larger}${code}${early}${style}</head>`,
  )
})

test('fails the build for a page without script tags or a place for them', () => {
  expect(() => moveScriptTagsUp(`<head>${code}</head>`, readSize)).toThrow()
  expect(() => moveScriptTagsUp(`<head>${place}</head>`, readSize)).toThrow()
})
