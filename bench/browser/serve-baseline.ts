import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

const files: Record<string, [path: string, type: string]> = {
  '/': ['bench/baseline/index.html', 'text/html; charset=utf-8'],
  '/baseline.js': ['bench/baseline/baseline.js', 'text/javascript'],
  '/leaflet/leaflet.css': ['node_modules/leaflet/dist/leaflet.css', 'text/css'],
  '/leaflet/leaflet-src.esm.js': ['node_modules/leaflet/dist/leaflet-src.esm.js', 'text/javascript'],
}

const fetchList = async (api: string, tenant: string, access: string, path: string) => {
  const response = await fetch(`${api}${path}`, { headers: { authorization: `Bearer ${access}`, 'x-tenant': tenant } })
  return Buffer.from(await response.arrayBuffer())
}

/** Serves the literal build with the same terminals as ours, from memory, so that no database slows it down. */
export const serveBaseline = async (api: string, tenant: string, access: string) => {
  const bodies: Record<string, Buffer> = {
    '/terminals': await fetchList(api, tenant, access, '/api/terminals/'),
    '/details': await fetchList(api, tenant, access, '/api/terminals/details/'),
  }
  const server = createServer((request, response) => {
    const body = bodies[request.url ?? '']
    if (body) return response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    const file = files[request.url ?? '']
    if (!file) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': file[1] })
    return createReadStream(`${root}${file[0]}`).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
