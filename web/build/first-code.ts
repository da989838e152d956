/** Only what the first page needs; the rest comes with the screens that use it. */
const tags = ['$initial' as const]

/**
 * The code that every page begins with, in a few files: a browser fetches them side by side, so that slow starts and lost
 * packets of one connection do not hold up the others. More files would only wait for a free connection.
 */
export const firstCode = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3, tags },
  { name: 'components', test: /node_modules\/(@mantine|@floating-ui|clsx)\//, priority: 2, tags },
  { name: 'data', test: /node_modules\/|\/contract\/|\/src\/[\w-]+\.ts$/, priority: 1, tags },
]
