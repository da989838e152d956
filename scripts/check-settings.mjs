import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listRepositoryFiles } from './repository-files.mjs'

const READERS = /^(server\/process\/(config|main)|[a-z0-9]+\/main)\.ts$/
const PROGRAM = /^(server|cli|demo|simulator|bench)\/(?!.*\.test\.ts$|(?:.*\/)?testing\/).*\.ts$/

const listDocumented = (readme) => [...readme.matchAll(/^\| `([A-Z][A-Z0-9_]*)`/gm)].map(([, name]) => name)

/**
 * Checks that the table in the README lists exactly the existing settings, and that nothing else reads the
 * environment.
 */
export const checkSettings = async (root) => {
  const { settingNames, secretNames } = await import('#server/process/config.ts')
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const documented = listDocumented(readme)
  const readers = listRepositoryFiles(root).filter(
    (file) =>
      PROGRAM.test(file) &&
      !READERS.test(file) &&
      /(?<!readConfig\()process\.env\b/.test(readFileSync(join(root, file), 'utf8')),
  )
  return [
    ...secretNames
      .filter((name) => !readme.includes(`\`${name}_FILE\``))
      .map((name) => `README.md does not list ${name}_FILE`),
    ...settingNames.filter((name) => !documented.includes(name)).map((name) => `README.md does not list ${name}`),
    ...documented
      .filter((name) => !settingNames.includes(name))
      .map((name) => `README.md lists ${name}, which is no setting`),
    ...readers.map((file) => `${file} reads the environment; server/process/config.ts does that for all`),
  ]
}
