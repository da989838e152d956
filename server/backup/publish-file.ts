import { link, open, rename } from 'node:fs/promises'

/** The file system has no hard links, as on some network shares and USB disks. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/** Gives a complete file its name. Fails with EEXIST if another file has it: unlike a rename, a link never replaces one. */
export const publishFile = async (part: string, path: string, tryToLink = link) => {
  try {
    await tryToLink(part, path)
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    // Reserves the name, so that the rename replaces a file of our own.
    await (await open(path, 'wx', 0o600)).close()
    await rename(part, path)
  }
}
