import type { Plugin } from 'vite'

/** What the map library pulls in and ours never uses: [who asks, for what, what they get instead]. */
const unused: [importer: string, id: string, instead: string][] = [
  // Every control and interaction that a map may have by default; ours names what it has.
  ['/ol/Map.js', './control/defaults.js', 'export const defaults = () => []'],
  ['/ol/Map.js', './interaction/defaults.js', 'export const defaults = () => []'],
  // Styles, expressions and an index of features, only to ask whether a layer has any.
  ['/ol/renderer/Composite.js', '../layer/BaseVector.js', 'export default class {}'],
]
const name = '\0unused-of-map:'

/** Leaves a third of the map library out of what people download. */
export const bareMap = (): Plugin => ({
  name: 'bare-map',
  enforce: 'pre',
  apply: 'build',
  resolveId: (id, importer) => {
    const at = unused.findIndex(([asks, wanted]) => wanted === id && importer?.endsWith(asks))
    return at < 0 ? undefined : `${name}${at}`
  },
  load: (id) => (id.startsWith(name) ? unused[Number(id.slice(name.length))]?.[2] : undefined),
})
