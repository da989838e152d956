import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Halves the start. Not in the shared temporary folder, where somebody else could leave code for us to run.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/dishboard', import.meta.url)))
const { dispatch } = await import('./dispatch.ts')

process.exitCode = await dispatch(process.argv.slice(2), { environment: process.env, print: console.log })
