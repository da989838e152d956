import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'
import { encodeOutlines } from './encode-outlines.ts'
import { encodePlaceNames } from './place-names.ts'

const moduleName = 'virtual:outlines'

/**
 * The size of a step in meters of the Mercator plane. Coarse is a pixel at zoom 3.4 and enough to recognize a country;
 * fine is a pixel at zoom 5.7, and the map does not fit itself closer than 7.
 */
const stepsM = { coarse: 15_000, fine: 3_000 }
type Level = keyof typeof stepsM

const devPath = (level: Level) => `/@outlines-${level}.bin`

async function encode(level: Level) {
  const path = createRequire(import.meta.url).resolve('world-atlas/countries-50m.json')
  return encodeOutlines(JSON.parse(await readFile(path, 'utf8')), stepsM[level])
}

const devNamesPath = '/@place-names.txt'

/** `import { outlineUrls, placeNamesUrl } from 'virtual:outlines'`: coasts, borders and names as small assets. */
export function outlines(): Plugin {
  let building = false
  const levels = Object.keys(stepsM) as Level[]
  return {
    name: 'outlines',
    configResolved(config) {
      building = config.command === 'build'
    },
    resolveId: (id) => (id === moduleName ? `\0${moduleName}` : undefined),
    async load(id) {
      if (id !== `\0${moduleName}`) return undefined
      const urls = levels.map(async (level) => {
        if (!building) return `${level}: ${JSON.stringify(devPath(level))}`
        const asset = this.emitFile({ type: 'asset', name: `outlines-${level}.bin`, source: await encode(level) })
        return `${level}: import.meta.ROLLUP_FILE_URL_${asset}`
      })
      const names = building
        ? `import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'asset', name: 'place-names.txt', source: encodePlaceNames() })}`
        : JSON.stringify(devNamesPath)
      return `export const outlineUrls = { ${(await Promise.all(urls)).join(', ')} }
export const placeNamesUrl = ${names}`
    },
    configureServer(server) {
      server.middlewares.use(devNamesPath, (_request, response) => void response.end(encodePlaceNames()))
      for (const level of levels)
        server.middlewares.use(devPath(level), async (_request, response) => {
          response.end(await encode(level))
        })
    },
  }
}
