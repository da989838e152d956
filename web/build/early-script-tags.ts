import type { Plugin } from 'vite'

const code = /[ \t]*<(?:script type="module"[^>]*><\/script>|link rel="modulepreload"[^>]*>)\n?/g
const place = /[ \t]*<!-- The build puts the script tags here\. -->\n?/

/** Moves the script and modulepreload tags up to the marker in the page, largest file first. */
export const moveScriptTagsUp = (html: string, measureBytes: (path: string) => number) => {
  const measureTag = (tag: string) => measureBytes(/(?:src|href)="\/([^"]+)"/.exec(tag)?.[1] ?? '')
  const tags = (html.match(code) ?? []).sort((a, b) => measureTag(b) - measureTag(a))
  if (tags.length === 0 || !place.test(html)) throw new Error('index.html has no script tags, or no place for them.')
  return html.replace(code, '').replace(place, () => tags.join(''))
}

/**
 * Makes the page request its code before anything else: only one connection is open when the page arrives, every
 * other one costs a round trip to open, and the code takes longest to load.
 */
export function earlyScriptTags(): Plugin {
  return {
    name: 'early-script-tags',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) =>
        moveScriptTagsUp(html, (path) => {
          const file = bundle?.[path]
          return file?.type === 'chunk' ? file.code.length : 0
        }),
    },
  }
}
