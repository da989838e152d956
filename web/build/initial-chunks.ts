/** Only what the first page needs; the rest comes with the screens that use it. */
const tags = ['$initial' as const]

/**
 * The code that every page begins with, in two files. One would be held up by each lost packet of its connection; with more,
 * those that are asked for last wait for a free connection, and all of them for each other.
 */
export const initialChunks = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 2, tags },
  { name: 'app', test: /\.[jt]sx?$/, priority: 1, tags },
]
