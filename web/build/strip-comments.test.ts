import { expect, test } from 'vitest'
import { stripComments } from './strip-comments.ts'

test('leaves out comments and indentation, but nothing of code, addresses and texts', () => {
  const html = `<head>
    <!-- Two lines
         of a comment. -->
    <link href="https://host/a.css">
    <script>
      // A reason.
      {
        fetch('//host/a') // said beside the code
      }
    </script>
</head>
`
  expect(stripComments(html)).toBe(`<head>
<link href="https://host/a.css">
<script>
{
fetch('//host/a') // said beside the code
}
</script>
</head>
`)
})
