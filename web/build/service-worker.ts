import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Plugin, transformWithOxc } from 'vite'

const path = fileURLToPath(new URL('../worker/worker.ts', import.meta.url))

/** Writes the service worker next to the page, under a stable name: browsers check that URL for updates. */
export const serviceWorker = (): Plugin => ({
  name: 'service-worker',
  apply: 'build',
  async generateBundle() {
    const { code } = await transformWithOxc(await readFile(path, 'utf8'), path, { sourcemap: false })
    // `export` is an error in a classic script, and not every browser runs service workers as modules.
    const source = code.replace(/^export \{\};?$/m, '')
    this.emitFile({ type: 'asset', fileName: 'worker.js', source })
  },
})
