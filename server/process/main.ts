import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Half of a start is reading our own sources; who is started again after a crash should not have to do it anew.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)))
const { start } = await import('./start.ts')
// What is only kept at the end of a process is lost when it is killed.
await start(flushCompileCache)
