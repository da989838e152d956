import type { Plugin, Rolldown } from 'vite'

/** The code that the page begins with: its entry and what that imports. */
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
 * Puts the styles of the first page into the page itself. While its requests for code are under way the link has nothing to
 * carry; and a page that fills the first packets of its connection lets the code that follows on it begin with twice as many.
 */
export function inlineCriticalCss(): Plugin {
  let styles = ''
  return {
    name: 'inline-critical-css',
    apply: 'build',
    // Before Vite notes down which files the page, and each part of the code, ask for.
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
