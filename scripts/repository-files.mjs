import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const NOT_OURS = new Set(['.git', 'node_modules', '.data', '.bench', 'dist', 'test-results', 'playwright-report'])

/**
 * Every file of the repository, as paths from its root; by walking, because a copy without .git is checked too.
 */
export const listRepositoryFiles = (root, folder = '') =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name) || entry.name.endsWith('.log')) return []
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    return entry.isDirectory() ? listRepositoryFiles(root, path) : [path]
  })
