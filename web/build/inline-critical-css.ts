import type { Plugin, Rolldown } from 'vite'

/** The entry and its static imports. */
const listInitialChunks = (bundle: Rolldown.OutputBundle) => {
  const first = new Set<Rolldown.OutputChunk>()
  const add = (file: Rolldown.OutputBundle[string] | undefined) => {
    if (file?.type !== 'chunk' || first.has(file)) return
    for (const name of file.imports) add(bundle[name])
    first.add(file)
  }
  for (const file of Object.values(bundle)) if (file.type === 'chunk' && file.isEntry) add(file)
  return [...first]
}

/**
 * Inlines the styles of the first page. The link is idle until the requests for code arrive, so they cost nothing; and a
 * page that fills the initial congestion window doubles the window for the code that follows.
 */
export function inlineCriticalCss(): Plugin {
  let styles = ''
  return {
    name: 'inline-critical-css',
    apply: 'build',
    // Before Vite records which files the page and each chunk load.
    enforce: 'pre',
    generateBundle: (_options, bundle) => {
      for (const { viteMetadata } of listInitialChunks(bundle)) {
        for (const name of viteMetadata?.importedCss ?? []) {
          const sheet = bundle[name]
          if (sheet?.type === 'asset') styles += sheet.source
          delete bundle[name]
        }
        viteMetadata?.importedCss.clear()
      }
      if (styles === '') throw new Error('The first page has no styles.')
    },
    transformIndexHtml: { order: 'post', handler: () => [{ tag: 'style', children: styles, injectTo: 'head' }] },
  }
}
