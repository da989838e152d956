import { open } from 'node:fs/promises'
import { CommandError } from './command.ts'

/** Creates a file that only its owner may read, and overwrites none. */
export const createFile = (path: string) =>
  open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${path} cannot be created: ${error.code === 'EEXIST' ? 'it exists' : error.message}`)
  })
