import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { deferredStyles } from './build/deferred-styles.ts'
import { earlyScriptTags } from './build/early-script-tags.ts'
import { fontSubsets } from './build/font-subsets.ts'
import { initialChunks } from './build/initial-chunks.ts'
import { inlineCriticalCss } from './build/inline-critical-css.ts'
import { licenseNotices, licensesFileName } from './build/license-notices.ts'
import { outlines } from './build/outlines.ts'
import { precompress } from './build/precompress.ts'
import { serviceWorker } from './build/service-worker.ts'
import { strippedComments } from './build/strip-comments.ts'

const apiUrl = process.env.API_URL ?? 'http://127.0.0.1:8080'

const isPublicFile = (url: string) =>
  existsSync(new URL(`./public${new URL(url, 'http://pages').pathname}`, import.meta.url))

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [
    react(),
    fontSubsets(),
    outlines(),
    deferredStyles(),
    inlineCriticalCss(),
    earlyScriptTags(),
    strippedComments(),
    licenseNotices(),
    serviceWorker(),
    precompress(),
  ],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    license: { fileName: licensesFileName },
    rolldownOptions: { output: { codeSplitting: { groups: initialChunks } } },
  },
  // `npm run dev` sets API_URL to the server that it starts.
  server: {
    proxy: {
      '/api': apiUrl,
      // The server has the images of a build, which development does not need, and those of tenants.
      '/brand': { target: apiUrl, bypass: ({ url = '' }) => (isPublicFile(url) ? url : undefined) },
      '/outbox': apiUrl,
    },
  },
})
