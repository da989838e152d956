import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { listRepositoryFiles } from './repository-files.mjs'

const WEB_BASE = ['web/src/ui/', 'web/src/brand/', 'web/src/*', 'contract/']

/**
 * Which capabilities of server/ a capability may import. All may import the platform, and the process imports all of them. The
 * table has no cycles.
 */
export const CAPABILITIES = {
  'security-events': [],
  factors: [],
  audit: ['security-events'],
  backup: ['audit', 'telemetry'],
  executive: ['availability', 'messages', 'plans', 'reports', 'tenants'],
  tenants: ['audit'],
  messages: ['audit', 'tenants'],
  'audit-digest': ['audit', 'messages', 'tenants'],
  identity: ['audit', 'factors', 'messages', 'security-events', 'tenants'],
  'api-tokens': ['audit', 'identity', 'messages', 'security-events'],
  users: ['audit', 'factors', 'identity', 'messages', 'security-events', 'tenants'],
  'single-sign-on': ['audit', 'identity', 'messages', 'security-events', 'tenants', 'users'],
  'tenant-settings': ['identity', 'messages', 'security-events', 'tenants'],
  access: ['audit', 'security-events', 'users'],
  maintenance: ['audit', 'service-lines'],
  availability: ['audit', 'maintenance', 'service-lines'],
  incidents: ['audit', 'maintenance', 'telemetry'],
  events: ['incidents', 'service-lines'],
  warnings: ['incidents', 'tenants'],
  profile: ['audit', 'factors', 'identity', 'messages', 'security-events', 'tenants'],
  notifications: ['audit', 'identity', 'incidents', 'maintenance', 'messages', 'tenants'],
  'personal-data': ['audit', 'identity', 'messages', 'security-events', 'users'],
  support: ['audit', 'fleet', 'identity', 'messages', 'plans', 'tenants', 'terminal-detail'],
  fleet: ['access'],
  'service-lines': ['audit', 'fleet'],
  telemetry: ['fleet'],
  vendor: ['fleet', 'telemetry'],
  commands: ['audit', 'fleet', 'messages', 'service-lines', 'vendor'],
  plans: ['access', 'audit', 'commands', 'fleet', 'messages', 'notifications', 'service-lines', 'tenants', 'vendor'],
  reports: ['access', 'audit', 'availability', 'incidents', 'messages', 'plans', 'tenants'],
  bulk: ['access', 'audit', 'commands', 'fleet', 'identity', 'plans', 'profile', 'service-lines'],
  'saved-views': ['audit'],
  'share-links': [
    'audit',
    'availability',
    'fleet',
    'identity',
    'incidents',
    'messages',
    'reports',
    'saved-views',
    'security-events',
    'service-lines',
    'tenants',
  ],
  'status-page': ['incidents', 'messages', 'tenants'],
  webhooks: ['audit', 'identity', 'incidents', 'messages', 'security-events', 'tenants'],
  'time-travel': ['fleet', 'telemetry'],
  'terminal-detail': ['fleet', 'plans', 'service-lines', 'telemetry', 'time-travel'],
}

const CAPABILITY_RULES = Object.entries({ platform: [], ...CAPABILITIES }).map(([name, imports]) => ({
  files: new RegExp(`^server/${name}/`),
  may: [name, 'platform', ...imports].map((each) => `server/${each}/`).concat('contract/', 'starlink/'),
}))

/** A cycle of imports in a table, or undefined. */
export const findCycle = (table) => {
  const done = new Set()
  const visit = (name, chain) => {
    if (chain.includes(name)) return [...chain.slice(chain.indexOf(name)), name]
    if (done.has(name)) return undefined
    for (const next of table[name] ?? []) {
      const cycle = visit(next, [...chain, name])
      if (cycle) return cycle
    }
    done.add(name)
    return undefined
  }
  for (const name of Object.keys(table)) {
    const cycle = visit(name, [])
    if (cycle) return cycle
  }
  return undefined
}

// Which files may import which, by the first line that matches the file. `*` is one file of a folder, `$1` what the parentheses
// captured; `packages` lists the only allowed packages, `notPackages` the forbidden ones.
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
  { files: /^server\/process\//, may: ['server/', 'contract/', 'starlink/'] },
  ...CAPABILITY_RULES,
  // A folder that is missing in the table may import nothing of the server.
  { files: /^server\//, may: ['contract/', 'starlink/'] },
  { files: /^client\/.*\.test\./, may: ['client/', 'cli/', 'server/', 'contract/'] },
  { files: /^client\//, may: ['client/', 'contract/'] },
  { files: /^cli\/.*\.test\./, may: ['cli/', 'server/', 'contract/', 'starlink/', 'simulator/'] },
  { files: /^cli\//, may: ['cli/', 'client/', 'server/', 'contract/', 'starlink/'] },
  { files: /^demo\//, may: ['demo/', 'server/', 'simulator/', 'contract/', 'starlink/'] },
  { files: /^bench\//, may: ['bench/', 'e2e/browser.ts', 'demo/', 'server/', 'simulator/', 'contract/', 'starlink/'] },
  {
    files: /^proof\//,
    may: ['proof/', 'bench/', 'e2e/', 'cli/', 'demo/', 'server/', 'simulator/', 'contract/', 'starlink/'],
  },
  { files: /^e2e\//, may: ['e2e/', 'demo/', 'server/', 'simulator/', 'contract/'] },
  { files: /^web\/src\/(.*\.test\.|testing\/)/, may: ['web/', 'contract/'] },
  {
    files: /^web\/src\/ui\//,
    may: ['web/src/ui/', 'contract/format/'],
    notPackages: ['@tanstack/react-router', '@tanstack/react-query'],
  },
  { files: /^web\/src\/parts\//, may: ['web/src/parts/', ...WEB_BASE] },
  { files: /^web\/src\/screens\/([^/]+)\//, may: ['web/src/screens/$1/', 'web/src/parts/', ...WEB_BASE] },
  { files: /^web\/src\/brand\//, may: WEB_BASE },
  { files: /^web\/src\/(main|routes|admin-routes|root-route)\.tsx?$/, may: ['web/src/', 'contract/'] },
  { files: /^web\/src\//, may: WEB_BASE },
  { files: /^web\//, may: ['web/', 'contract/'] },
  // They run before anything is installed.
  { files: /^scripts\//, may: ['scripts/', 'server/'], packages: ['node:', 'vitest'] },
]

const IMPORT =
  /^\s*(?:import|export)\b[^'"]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm
const SOURCE = /\.(ts|tsx|mts|mjs|js)$/

const getTopFolder = (path) => path.split('/')[0]

const resolveTarget = (file, specifier) => {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : undefined
}

const isWithin = (target, place) => (place.endsWith('*') ? `${dirname(target)}/*` === place : target.startsWith(place))

const isPackageAllowed = ({ packages, notPackages = [] }, specifier) => {
  const matches = (name) => specifier === name || specifier.startsWith(name.endsWith(':') ? name : `${name}/`)
  return packages ? packages.some(matches) : !notPackages.some(matches)
}

/** The fault of this import in this file, or undefined. */
export const findImportFault = (file, specifier) => {
  const rule = RULES.find(({ files }) => files.test(file))
  if (!rule) return undefined
  const target = resolveTarget(file, specifier)
  if (target === undefined)
    return isPackageAllowed(rule, specifier) ? undefined : `${specifier} may not be imported in this folder`
  if (specifier.startsWith('.') && getTopFolder(target) !== getTopFolder(file))
    return `${specifier} leaves the folder ${getTopFolder(file)}; write #${target} (the imports of package.json name the folders)`
  if (specifier.startsWith('#') && getTopFolder(target) === getTopFolder(file))
    return `${specifier} is in the same folder; write it relative`
  const captured = rule.files.exec(file)
  if (rule.may.some((place) => isWithin(target, place.replace('$1', captured[1] ?? '')))) return undefined
  return `${specifier} is against the direction of imports; this file may import ${rule.may.join(', ').replace('$1', captured[1] ?? '')}`
}

export const checkImports = async (root) => {
  const cycle = findCycle(CAPABILITIES)
  const faults = listRepositoryFiles(root)
    .filter((file) => SOURCE.test(file))
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)]
        .map(([, from, bare, dynamic]) => findImportFault(file, from ?? bare ?? dynamic))
        .filter(Boolean)
        .map((fault) => `${file}: ${fault}`),
    )
  return cycle ? [`scripts/check-imports.mjs: the table has a cycle: ${cycle.join(' → ')}`, ...faults] : faults
}
