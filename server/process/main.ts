import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Half of the startup time is compiling our own sources. The cache makes a restart after a crash faster.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)))
const { start } = await import('./start.ts')
// Flushed as soon as the process is ready, because a killed process does not flush at exit.
await start(flushCompileCache)
