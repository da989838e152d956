import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { explainFileError, StartupError } from '../platform/startup-error.ts'

const KEY_BYTES = 32
/** As for SECRET_KEY. After a crash, a file may be empty, or have zero bytes for content. */
const KEY = /^[\x21-\x7e]{32,}$/
/** The file system has no hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

const publish = (part: string, file: string) => {
  try {
    linkSync(part, file)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (NO_LINKS.has(code)) renameSync(part, file)
    else if (code !== 'EEXIST') throw error
  }
}

/** Creates the file with its whole content on disk, or not at all. If another process was first, its file stays. */
const createKeyFile = (file: string) => {
  const part = `${file}.${randomBytes(6).toString('hex')}.part`
  try {
    const opened = openSync(part, 'wx', 0o600)
    try {
      writeSync(opened, `${randomBytes(KEY_BYTES).toString('base64')}\n`)
      fsyncSync(opened)
    } finally {
      closeSync(opened)
    }
    publish(part, file)
  } finally {
    rmSync(part, { force: true })
  }
}

/** The generated key of an installation without SECRET_KEY. */
export const readKeyFile = (dataDir: string) => {
  const file = join(dataDir, 'secret.key')
  try {
    if (!existsSync(file)) {
      // Other users may pass through: when started by root, the embedded database runs as another user.
      mkdirSync(dataDir, { recursive: true, mode: 0o711 })
      createKeyFile(file)
    }
    const key = readFileSync(file, 'utf8').trim()
    // With a shorter key, anyone could sign tokens.
    if (KEY.test(key)) return key
  } catch (error) {
    throw explainFileError(error, dataDir)
  }
  throw new StartupError(
    `The key in ${file} is damaged. Restore the file from a backup. If there is none, delete it: a new key is then generated, everybody has to sign in again, and what was encrypted with the old key has to be entered again.`,
  )
}
