import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '#server/testing/find-free-port.ts'
import { msUntil } from '../multi-process/client.ts'
import { fillIn } from './find-tool.ts'
import { startTool } from './start-tool.ts'

const example = fileURLToPath(new URL('../../deploy/nginx/dishboard.conf', import.meta.url))

/** What Debian's own nginx.conf has around the sites, with every path in `folder`. */
const buildMain = (folder: string, site: string) => `
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log info;
worker_processes 2;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  include ${site};
}
`

interface Options {
  program: string
  /** For its files. */
  folder: string
  /** Addresses of three serve processes, without protocol. */
  upstreams: readonly [string, string, string]
  /** Without one it serves plain HTTP. */
  certificate?: { certificate: string; key: string }
}

/** A real nginx with the example site. */
export const startNginx = async ({ program, folder, upstreams, certificate }: Options) => {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const port = await findFreePort()
  const site = join(folder, 'dishboard.conf')
  const names = { certificate: 'portal.example.com.crt', key: 'portal.example.com.key' }
  const text = fillIn(readFileSync(example, 'utf8'), [
    ...upstreams.map((address, index) => [`127.0.0.1:${8081 + index}`, address] as const),
    ['/var/log/nginx/dishboard.log', `${folder}/access.log`],
    ['  listen [::]:443 ssl http2;\n', ''],
    ['listen 443 ssl http2;', certificate ? `listen 127.0.0.1:${port} ssl http2;` : `listen 127.0.0.1:${port};`],
    ...(certificate
      ? ([
          [`/etc/nginx/tls/${names.certificate}`, certificate.certificate],
          [`/etc/nginx/tls/${names.key}`, certificate.key],
        ] as const)
      : ([
          [`  ssl_certificate /etc/nginx/tls/${names.certificate};\n`, ''],
          [`  ssl_certificate_key /etc/nginx/tls/${names.key};\n`, ''],
        ] as const)),
  ])
  writeFileSync(site, text)
  const main = join(folder, 'nginx.conf')
  writeFileSync(main, buildMain(folder, site))
  const output = startTool(program, ['-p', folder, '-c', main], folder)
  const isUp = () => existsSync(join(folder, 'nginx.pid'))
  if (Number.isNaN(await msUntil(isUp))) throw new Error(`nginx did not become ready: ${readFileSync(output, 'utf8')}`)
  const readErrors = () =>
    readFileSync(join(folder, 'error.log'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('[error]'))
  const readAccesses = () => readFileSync(join(folder, 'access.log'), 'utf8')
  return { url: `http://127.0.0.1:${port}`, port, readErrors, readAccesses }
}
