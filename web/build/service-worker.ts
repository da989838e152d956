import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Plugin, transformWithOxc } from 'vite'

const source = fileURLToPath(new URL('../worker/worker.ts', import.meta.url))

/** Writes the service worker beside the page, under a name that stays: browsers look there for a newer one. */
export const serviceWorker = (): Plugin => ({
  name: 'service-worker',
  apply: 'build',
  async generateBundle() {
    const { code } = await transformWithOxc(await readFile(source, 'utf8'), source, { sourcemap: false })
    this.emitFile({ type: 'asset', fileName: 'worker.js', source: code })
  },
})
