import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '../endings.ts'

const SIZE_MB = 600

const quietly = { stdio: 'ignore' } as const

/** A file system of its own that can be filled; undefined where this user may not mount one. */
export const mountSmallDisk = () => {
  const dir = mkdtempSync(join(tmpdir(), 'dishboard-proof-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=0711`, 'tmpfs', dir], quietly)
  } catch {
    rmdirSync(dir)
    return undefined
  }
  atEnd(() => {
    execFileSync('umount', ['--lazy', dir], quietly)
    rmdirSync(dir)
  })
  const ballast = join(dir, 'ballast')
  const free = () => rmSync(ballast, { force: true })
  return {
    dir,
    /** Takes all the room but so many bytes. */
    fillBut: (leftBytes: number) => {
      free()
      const { bavail, bsize } = statfsSync(dir)
      execFileSync('fallocate', ['-l', String(bavail * bsize - leftBytes), ballast], quietly)
    },
    free,
  }
}
