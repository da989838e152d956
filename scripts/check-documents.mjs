import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { listRepositoryFiles } from './repository-files.mjs'

const NPM_OWN = new Set(['ci', 'install', 'start', 'test', 'run'])
// Made by the program, so not in the repository.
const MADE_LATER = /^(dist|\.data|\.proof|node_modules|test-results)(\/|$)/

const isDocument = (file) => /^(README|CHANGELOG|CONTRIBUTING)\.md$|^docs\/.*\.md$/.test(file)

/** What a document claims to exist: targets of links, and paths in code marks that begin at a folder of the root. */
const listPaths = (file, text, tops) => {
  const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => normalize(join(dirname(file), target)))
  const marked = [...text.matchAll(/`([\w.@-]+(?:\/[\w.@-]+)*\/?)`/g)]
    .map(([, path]) => path)
    .filter((path) => tops.has(path.split('/')[0]) || (path.includes('/') && /\.(ts|tsx|mjs|sql|md)$/.test(path)))
  return [...links, ...marked].filter((path) => !MADE_LATER.test(path))
}

const listScripts = (text) =>
  [...text.matchAll(/(?:^|`)npm (run )?([a-z][\w:-]*)/gm)].map(([, run, name]) => ({ isRun: run !== undefined, name }))

/** Every path and npm command that a document names exists. */
export const checkDocuments = async (root) => {
  const files = listRepositoryFiles(root)
  const tops = new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]))
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return files.filter(isDocument).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const paths = listPaths(file, text, tops).filter((path) => !existsSync(join(root, path)))
    const calls = listScripts(text).filter(({ name, isRun }) => !(name in scripts) && (isRun || !NPM_OWN.has(name)))
    return [
      ...paths.map((path) => `${file}: ${path} does not exist`),
      ...calls.map(({ name }) => `${file}: there is no npm script ${name}`),
    ]
  })
}
