import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const sheet = fileURLToPath(new URL('../src/ui/mantine-deferred.css', import.meta.url))
const components = new Set([...readFileSync(sheet, 'utf8').matchAll(/styles\/(\w+)\./g)].map(([, name]) => name))

/**
 * Bundles the styles of Mantine components that the first page does not show into one file, loaded with their code.
 */
export const deferredStyles = (): Plugin => ({
  name: 'deferred-styles',
  transform: {
    filter: { id: /\/@mantine\/core\/esm\/.+\.module\.mjs$/ },
    handler: (code, id) =>
      components.has(basename(id, '.module.mjs')) ? `import ${JSON.stringify(sheet)}\n${code}` : undefined,
  },
})
