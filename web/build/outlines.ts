import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'
import { encodeOutlines } from './encode-outlines.ts'

const moduleName = 'virtual:outlines'
const devPath = '/@outlines.bin'

/** `import { outlinesUrl } from 'virtual:outlines'`: coasts and borders of the world as one small binary asset. */
export function outlines(): Plugin {
  let building = false
  const load = async () => {
    const path = createRequire(import.meta.url).resolve('world-atlas/countries-50m.json')
    return encodeOutlines(JSON.parse(await readFile(path, 'utf8')))
  }
  return {
    name: 'outlines',
    configResolved(config) {
      building = config.command === 'build'
    },
    resolveId: (id) => (id === moduleName ? `\0${moduleName}` : undefined),
    async load(id) {
      if (id !== `\0${moduleName}`) return undefined
      if (!building) return `export const outlinesUrl = ${JSON.stringify(devPath)}`
      const asset = this.emitFile({ type: 'asset', name: 'outlines.bin', source: await load() })
      return `export const outlinesUrl = import.meta.ROLLUP_FILE_URL_${asset}`
    },
    configureServer(server) {
      server.middlewares.use(devPath, async (_request, response) => {
        response.end(await load())
      })
    },
  }
}
