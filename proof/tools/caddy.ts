import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '#server/testing/find-free-port.ts'
import { fillIn } from './find-tool.ts'
import { startTool } from './start-tool.ts'

const example = fileURLToPath(new URL('../../deploy/caddy/Caddyfile', import.meta.url))

interface Options {
  program: string
  /** For its files. */
  folder: string
  /** Addresses of three serve processes, without protocol. */
  upstreams: readonly [string, string, string]
}

/** A real Caddy with the example, on free ports, with certificates of its own CA instead of a public one. */
export const startCaddy = async ({ program, folder, upstreams }: Options) => {
  mkdirSync(folder, { recursive: true })
  const port = await findFreePort()
  const options = [
    'admin off',
    'skip_install_trust',
    'default_bind 127.0.0.1',
    `http_port ${await findFreePort()}`,
    `https_port ${port}`,
  ]
  const text = fillIn(readFileSync(example, 'utf8'), [
    ...upstreams.map((address, index) => [`127.0.0.1:${8081 + index}`, address] as const),
    ['email operator@example.com', options.join('\n\t')],
    ['\t\ton_demand\n', '\t\ton_demand\n\t\tissuer internal\n'],
  ])
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, text)
  const log = startTool(program, ['run', '--config', file, '--adapter', 'caddyfile'], folder)
  return { port, readLog: () => readFileSync(log, 'utf8') }
}
