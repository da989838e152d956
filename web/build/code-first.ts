import type { Plugin } from 'vite'

const entry = /[ \t]*<script type="module"[^>]*><\/script>\n?/
const place = /[ \t]*<!-- The code is asked for here\. -->\n?/

/** Moves the tag of the app's code up to its place in the page. */
export const withCodeFirst = (html: string) => {
  const tag = entry.exec(html)?.[0]
  if (!tag || !place.test(html)) throw new Error('index.html has no code, or no place for it.')
  return html.replace(tag, '').replace(place, () => tag)
}

/**
 * Lets the page ask for its code before anything else: there is one connection when the page arrives, every other costs a
 * round trip to open, and the code is what takes longest.
 */
export function codeFirst(): Plugin {
  return { name: 'code-first', apply: 'build', transformIndexHtml: { order: 'post', handler: withCodeFirst } }
}
