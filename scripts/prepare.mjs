import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureWebBuilt } from './build-web.mjs'
import { ensureInstalled, getNode } from './install.mjs'
import { onceAtATime } from './once-at-a-time.mjs'
import { Problem } from './problem.mjs'

export const root = resolve(fileURLToPath(import.meta.url), '../..')

const explain = (error) => {
  switch (error.code) {
    case 'ENOSPC':
      return new Problem('The disk is full. Free some space and try again.')
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new Problem(
        `This user may not write ${error.path}. Start as the owner of ${root}, or give it to this user with chown -R.`,
      )
    default:
      return error
  }
}

const guarded = (work) =>
  onceAtATime(root, work).catch((error) => {
    throw explain(error)
  })

/** Returns the Node to run everything with. */
export const prepareInstall = () =>
  guarded(async () => {
    await ensureInstalled(root)
    return getNode(root)
  })

export const prepareWeb = (node) => guarded(() => ensureWebBuilt(root, node))
