import { expect, test } from 'vitest'
import { inlineSvgClasses } from './inline-svg-classes.ts'

test('classes become attributes, without what is for dark mode', () => {
  const svg =
    '<svg><style>.w{fill:#000;stroke: #111}@media (prefers-color-scheme:dark){.w{fill:#fff}.x{fill:#eee}}.y{fill:red}</style><path class="w y" d="M0 0"/><g class="x unknown"/></svg>'
  expect(inlineSvgClasses(svg)).toBe('<svg><path fill="#000" stroke="#111" fill="red" d="M0 0"/><g/></svg>')
})
