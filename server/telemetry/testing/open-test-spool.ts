import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openSpool } from '../spool.ts'

/** A spool in a folder that is removed with the run's other files. */
export const openTestSpool = async ({ folder, maxBytes = 1024 ** 3 }: { folder?: string; maxBytes?: number } = {}) =>
  openSpool({
    folder: folder ?? (await mkdtemp(join(tmpdir(), 'spool-'))),
    maxBytes,
    log: pino({ level: 'silent' }),
  })
