import type { Plugin } from 'vite'

/** Leaves out comments that have lines of their own, and indentation. */
export const stripComments = (html: string) =>
  html
    .replace(/^[ \t]*<!--[\s\S]*?-->\n/gm, '')
    .replace(/^[ \t]*\/\/.*\n/gm, '')
    .replace(/^[ \t]+/gm, '')

/** Makes room in the document, which has to fit into the first packets that a server may send. */
export const strippedComments = (): Plugin => ({
  name: 'stripped-comments',
  apply: 'build',
  transformIndexHtml: { order: 'post', handler: stripComments },
})
