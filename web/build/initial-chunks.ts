/** Only what the first page needs; the rest is loaded with the screens that use it. */
const tags = ['$initial' as const]

/**
 * The initial code of every page, in two files. A single file is delayed by each lost packet of its connection; with
 * more files, the last ones wait for a free connection.
 */
export const initialChunks = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 2, tags },
  { name: 'app', test: /\.[jt]sx?$/, priority: 1, tags },
]
