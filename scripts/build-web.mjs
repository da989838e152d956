import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runChild } from './child.mjs'
import { Problem } from './problem.mjs'
import { during } from './progress.mjs'

const SOURCES = ['web', 'contract', 'package-lock.json']

const listFiles = (root, path) => {
  const full = join(root, path)
  if (!existsSync(full)) return []
  const entries = readdirSync(full, { withFileTypes: true })
  return entries.flatMap((entry) => {
    const inner = `${path}/${entry.name}`
    return entry.isDirectory() ? listFiles(root, inner) : [inner]
  })
}

const hashSources = (root) => {
  const hash = createHash('sha256')
  const files = SOURCES.flatMap((path) => (path.includes('.') ? [path] : listFiles(root, path)))
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex')
}

/** Builds the pages into dist/web unless they are up to date. */
export const ensureWebBuilt = async (root, node) => {
  const built = join(root, 'dist/web')
  const stamp = join(root, 'dist/web-sources-sha256')
  const sources = hashSources(root)
  if (existsSync(join(built, 'index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return
  const build = async () => {
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    const args = [
      vite,
      'build',
      join(root, 'web'),
      '--outDir',
      '../dist/web.part',
      '--emptyOutDir',
      '--logLevel',
      'warn',
    ]
    const { code, output } = await runChild(node, args, { quiet: true })
    if (code !== 0) {
      if (/ENOSPC/.test(output)) throw new Problem('The disk is full. Free some space and try again.')
      throw new Problem(`The pages could not be built:\n${output.trim()}`)
    }
  }
  await during('Building the pages', build)
  rmSync(built, { recursive: true, force: true })
  renameSync(`${built}.part`, built)
  writeFileSync(stamp, sources)
}
