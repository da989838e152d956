import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onCleanup } from '../cleanup.ts'

const SIZE_MB = 600
const BLOCK_BYTES = 4096

const quietly = { stdio: 'ignore' } as const

/** A separate file system that can be filled; undefined if this user may not mount one. */
export const mountSmallDisk = () => {
  const dir = mkdtempSync(join(tmpdir(), 'dishboard-proof-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=0711`, 'tmpfs', dir], quietly)
  } catch {
    rmdirSync(dir)
    return undefined
  }
  onCleanup(() => {
    execFileSync('umount', ['--lazy', dir], quietly)
    rmdirSync(dir)
  })
  const ballast = join(dir, 'ballast')
  return {
    dir,
    /**
     * Fills the disk except for the given number of bytes, even if other processes write at the same time.
     */
    fillBut: (leftBytes: number) => {
      const file = openSync(ballast, 'a')
      for (let piece = Buffer.alloc(1024 ** 2); piece.length >= BLOCK_BYTES; ) {
        const { bavail, bsize } = statfsSync(dir)
        if (bavail * bsize <= leftBytes) break
        try {
          writeSync(file, piece)
        } catch {
          piece = piece.subarray(0, piece.length / 2)
        }
      }
      closeSync(file)
    },
    free: () => rmSync(ballast, { force: true }),
  }
}

export type SmallDisk = NonNullable<ReturnType<typeof mountSmallDisk>>
