import type { Plugin } from 'vite'

/** Removes full-line comments and indentation. */
export const stripComments = (html: string) =>
  html
    .replace(/^[ \t]*<!--[\s\S]*?-->\n/gm, '')
    .replace(/^[ \t]*\/\/.*\n/gm, '')
    .replace(/^[ \t]+/gm, '')

/** Shrinks the document, which has to fit into the initial congestion window. */
export const strippedComments = (): Plugin => ({
  name: 'stripped-comments',
  apply: 'build',
  transformIndexHtml: { order: 'post', handler: stripComments },
})
