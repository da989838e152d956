import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cleaner = fileURLToPath(new URL('./clean-run-folder.ts', import.meta.url))

/**
 * Puts all temporary files of this process and its children into one folder. When this process ends, by `close` or by
 * any signal, a separate process ends whatever still uses that folder (PostgreSQL daemonizes itself) and removes it.
 */
export const openRunFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'dishboard-run-'))
  // As root, PostgreSQL may run as another user, who must be able to traverse it.
  chmodSync(folder, 0o711)
  // Detached: Ctrl-C in the terminal must not reach it. Its stdin closes when this process ends, for whatever reason.
  const child = spawn(process.execPath, [cleaner, folder, String(process.pid)], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  child.unref()
  process.env.TMPDIR = folder
  return {
    folder,
    close: async () => {
      const ended = once(child, 'exit')
      child.ref()
      child.stdin.end()
      await ended
    },
  }
}
