import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listRepositoryFiles } from './repository-files.mjs'

const BINARY = /\.(png|jpg|webp|ico|woff2?)$/
const HOME_FOLDER = /(?<![\w./])\/(?:home|Users)\/[a-z][\w.-]*\//

const listDownloadHosts = (root) => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(packages)
    .filter(([, { resolved }]) => resolved !== undefined)
    .map(
      ([path]) =>
        `package-lock.json: ${path} has a download address; remove "resolved", so that npm asks its own registry`,
    )
}

/** Checks that no file names the machine it was written on, and that the lock file names no registry. */
export const checkTraces = async (root) => {
  // A short root such as /app is not checked: too many addresses begin with it.
  const isTelling = root.split('/').length > 2
  const holdsTrace = (text) => (isTelling && text.includes(`${root}/`)) || HOME_FOLDER.test(text)
  const files = listRepositoryFiles(root).filter((file) => !BINARY.test(file))
  return [
    ...listDownloadHosts(root),
    ...files
      .filter((file) => holdsTrace(readFileSync(join(root, file), 'utf8')))
      .map((file) => `${file} holds a path of this machine`),
  ]
}
