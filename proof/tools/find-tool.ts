import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const isExecutable = (path: string) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The path of a system program, or undefined. Debian has some in folders that are not in a user's PATH. */
export const findTool = (name: string) =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
    .map((folder) => join(folder, name))
    .find(isExecutable)

/** An example from `deploy/` with the operator's part filled in. Each text must occur in it. */
export const fillIn = (example: string, replacements: readonly (readonly [string, string])[]) =>
  replacements.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The example has no ${from}`)
    return text.replaceAll(from, to)
  }, example)
