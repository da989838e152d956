import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Half of a start is compiling our own sources. The cache makes a restart after a crash faster.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)))
const { start } = await import('./start.ts')
// Written as soon as the process is ready, because a process that is killed does not write it at its end.
await start(flushCompileCache)
