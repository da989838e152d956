import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Finding, fail, ok, warn } from './finding.ts'

const GB = 1024 ** 3
const ENOUGH_GB = 2
const BARELY_GB = 0.3

const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)))

export const checkDisk = async (dataDir: string): Promise<Finding> => {
  const folder = nearestExisting(resolve(dataDir))
  const { bavail, bsize } = await statfs(folder)
  const freeGb = (bavail * bsize) / GB
  const fact = `${freeGb.toFixed(1)} GB are free on the disk of ${folder}`
  const mend = 'free some space, or set DATA_DIR to a folder on a larger disk'
  if (freeGb >= ENOUGH_GB) return ok('disk', fact)
  return freeGb >= BARELY_GB ? warn('disk', fact, mend) : fail('disk', fact, mend)
}
