import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { listRepositoryFiles } from './repository-files.mjs'

const WEB_BASE = ['web/src/ui/', 'web/src/brand/', 'web/src/*', 'contract/']

// Who may know whom, by the first line that fits a file. `*` is one file of a folder, `$1` what the brackets caught;
// `packages` lists the only packages, `notPackages` those that are kept out.
const RULES = [
  { files: /^contract\/.*\.test\./, may: ['contract/'] },
  { files: /^contract\//, may: ['contract/'], packages: ['zod'] },
  { files: /^starlink\/.*\.test\./, may: ['starlink/', 'simulator/'] },
  { files: /^starlink\//, may: ['starlink/'] },
  { files: /^simulator\//, may: ['simulator/', 'starlink/'] },
  {
    files: /^server\/(.*\.test\.|(.*\/)?testing\/)/,
    may: ['server/', 'contract/', 'starlink/', 'simulator/', 'demo/'],
  },
  { files: /^server\//, may: ['server/', 'contract/', 'starlink/'] },
  { files: /^cli\/.*\.test\./, may: ['cli/', 'server/', 'contract/', 'starlink/', 'simulator/'] },
  { files: /^cli\//, may: ['cli/', 'server/', 'contract/', 'starlink/'] },
  { files: /^demo\//, may: ['demo/', 'server/', 'simulator/', 'contract/', 'starlink/'] },
  { files: /^bench\//, may: ['bench/', 'e2e/browser.ts', 'demo/', 'server/', 'simulator/', 'contract/', 'starlink/'] },
  {
    files: /^proof\//,
    may: ['proof/', 'bench/', 'e2e/', 'cli/', 'demo/', 'server/', 'simulator/', 'contract/', 'starlink/'],
  },
  { files: /^e2e\//, may: ['e2e/', 'demo/', 'server/', 'simulator/', 'contract/'] },
  { files: /^web\/src\/ui\//, may: ['web/src/ui/'], notPackages: ['@tanstack/react-router', '@tanstack/react-query'] },
  { files: /^web\/src\/parts\//, may: ['web/src/parts/', ...WEB_BASE] },
  { files: /^web\/src\/screens\/([^/]+)\//, may: ['web/src/screens/$1/', 'web/src/parts/', ...WEB_BASE] },
  { files: /^web\/src\/brand\//, may: WEB_BASE },
  { files: /^web\/src\/(main|routes)\.tsx$/, may: ['web/src/', 'contract/'] },
  { files: /^web\/src\//, may: WEB_BASE },
  { files: /^web\//, may: ['web/', 'contract/'] },
  // They run before anything is installed.
  { files: /^scripts\//, may: ['scripts/', 'server/'], packages: ['node:', 'vitest'] },
]

const IMPORT =
  /^\s*(?:import|export)\b[^'"]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm
const SOURCE = /\.(ts|tsx|mts|mjs|js)$/

const topOf = (path) => path.split('/')[0]

const targetOf = (file, specifier) => {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : undefined
}

const isWithin = (target, place) => (place.endsWith('*') ? `${dirname(target)}/*` === place : target.startsWith(place))

const isPackageAllowed = ({ packages, notPackages = [] }, specifier) => {
  const isOf = (name) => specifier === name || specifier.startsWith(name.endsWith(':') ? name : `${name}/`)
  return packages ? packages.some(isOf) : !notPackages.some(isOf)
}

/** What is wrong with this import in this file, or undefined. */
export const findImportFault = (file, specifier) => {
  const rule = RULES.find(({ files }) => files.test(file))
  if (!rule) return undefined
  const target = targetOf(file, specifier)
  if (target === undefined)
    return isPackageAllowed(rule, specifier) ? undefined : `${specifier} is kept out of this folder`
  if (specifier.startsWith('.') && topOf(target) !== topOf(file))
    return `${specifier} leaves the folder ${topOf(file)}; write #${target} (the imports of package.json name the folders)`
  if (specifier.startsWith('#') && topOf(target) === topOf(file))
    return `${specifier} is in the same folder; write it relative`
  const caught = rule.files.exec(file)
  if (rule.may.some((place) => isWithin(target, place.replace('$1', caught[1] ?? '')))) return undefined
  return `${specifier} is against the direction of imports; this file may import ${rule.may.join(', ').replace('$1', caught[1] ?? '')}`
}

export const checkImports = async (root) =>
  listRepositoryFiles(root)
    .filter((file) => SOURCE.test(file))
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)]
        .map(([, from, bare, dynamic]) => findImportFault(file, from ?? bare ?? dynamic))
        .filter(Boolean)
        .map((fault) => `${file}: ${fault}`),
    )
