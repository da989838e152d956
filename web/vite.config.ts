import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { codeFirst } from './build/code-first.ts'
import { firstCode } from './build/first-code.ts'
import { laterStyles } from './build/later-styles.ts'
import { outlines } from './build/outlines.ts'
import { precompress } from './build/precompress.ts'
import { stylesInPage } from './build/styles-in-page.ts'

const apiUrl = process.env.API_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), outlines(), laterStyles(), stylesInPage(), codeFirst(), precompress()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    rolldownOptions: { output: { codeSplitting: { groups: firstCode } } },
  },
  server: { proxy: { '/api': apiUrl } },
})
