import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BackupError } from './backup-error.ts'
import type { BrandFile } from './header.ts'
import { publishFile } from './publish-file.ts'

/** The names that are served: without folders, and not hidden. */
const FILE_NAME = /^[\w-][\w.-]{0,200}$/

const listIfExists = async (folder: string) => {
  try {
    return (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile()).map(({ name }) => name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

export interface StoredFile {
  file: BrandFile
  bytes: Buffer
}

/** The images of each tenant, tenant by tenant. */
export async function* readBrandFiles(brandDir: string, tenants: readonly string[]): AsyncGenerator<StoredFile> {
  for (const tenant of tenants)
    for (const name of (await listIfExists(join(brandDir, tenant))).sort())
      if (FILE_NAME.test(name)) yield { file: { tenant, name }, bytes: await readFile(join(brandDir, tenant, name)) }
}

const createFile = async (path: string, bytes: Buffer) => {
  const part = join(dirname(path), `.${randomBytes(6).toString('hex')}.part`)
  try {
    await writeFile(part, bytes, { flag: 'wx', flush: true })
    await publishFile(part, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(part, { force: true })
  }
}

/** Writes the images that do not exist yet, each whole or not at all; returns how many. If one fails, none is left. */
export const writeBrandFiles = async (brandDir: string, files: readonly StoredFile[]) => {
  const written: string[] = []
  try {
    for (const { file, bytes } of files) {
      const path = join(brandDir, file.tenant, file.name)
      await mkdir(dirname(path), { recursive: true })
      if (await createFile(path, bytes)) written.push(path)
    }
  } catch (error) {
    for (const path of written) await rm(path, { force: true })
    const { message } = error as NodeJS.ErrnoException
    throw new BackupError(`The tenants’ images cannot be written, so nothing was restored: ${message}`)
  }
  return written.length
}
