import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrandFile } from './header.ts'

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

/** Writes the images that do not exist yet; returns how many. */
export const writeBrandFiles = async (brandDir: string, files: readonly StoredFile[]) => {
  let written = 0
  for (const { file, bytes } of files) {
    await mkdir(join(brandDir, file.tenant), { recursive: true })
    try {
      await writeFile(join(brandDir, file.tenant, file.name), bytes, { flag: 'wx' })
      written++
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  return written
}
