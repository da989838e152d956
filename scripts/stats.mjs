import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CAPABILITIES } from './check-imports.mjs'
import { root } from './prepare.mjs'
import { listRepositoryFiles } from './repository-files.mjs'

const SOURCE = /\.(ts|tsx|mjs|js)$/
const GENERATED = 'server/platform/database/schema.ts'

const files = listRepositoryFiles(root)
  .filter((path) => SOURCE.test(path) && path !== GENERATED)
  .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n').length - 1 }))
  .sort((a, b) => a.lines - b.lines)

const summarize = (of) => {
  const at = (share) => of[Math.min(of.length - 1, Math.floor(of.length * share))].lines
  return [of.length, at(0.5), at(0.9), at(1)].map((number) => String(number).padStart(8)).join('')
}
const print = (name, of) => of.length > 0 && console.log(`${name.padEnd(20)}${summarize(of)}`)

console.log(
  `${'lines of source'.padEnd(20)}${['files', 'median', '90th %', 'longest'].map((name) => name.padStart(8)).join('')}`,
)
print('all', files)
print(
  'tests',
  files.filter(({ path }) => /\.(test|spec)\.tsx?$/.test(path)),
)
for (const folder of [...new Set(files.map(({ path }) => path.split('/')[0]))].sort())
  print(
    folder,
    files.filter(({ path }) => path.startsWith(`${folder}/`)),
  )

console.log('\ncapabilities of the server, and those that each may import')
for (const [name, imports] of Object.entries(CAPABILITIES)) console.log(`${name.padEnd(20)}${imports.join(', ')}`)
