import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { findDebianPostgres } from '#server/testing/debian-postgres.ts'
import { exactly, type Figure } from '../figure.ts'
import { STUCK_AFTER_MS, signIn } from '../multi-process/client.ts'
import { type MultiProcessStack, openMultiProcessStack } from '../multi-process/stack.ts'
import type { Proof, ProofContext } from '../proof.ts'
import { startCaddy } from '../tools/caddy.ts'
import { findTool } from '../tools/find-tool.ts'
import { startNginx } from '../tools/nginx.ts'
import { getStatus, readFirstBytes } from './https.ts'
import { checkImage } from './image.ts'
import { checkPgBackRest } from './pgbackrest.ts'
import { checkPgBouncer } from './pgbouncer.ts'
import { verifyUnits } from './units.ts'

const HOST = 'portal.alpha.example'
const UNKNOWN_HOST = 'portal.nobody.example'
const SECRET = 'S3cret-that-nobody-may-log'
const SECRET_PATHS = [
  `/shared/${SECRET}`,
  `/open/${SECRET}/terminal/x`,
  `/unsubscribe?token=${SECRET}`,
  `/sso/callback?code=${SECRET}`,
]

const addHost = async ({ superuser }: MultiProcessStack) => {
  const client = new pg.Client(superuser)
  await client.connect()
  await client.query('insert into tenant_hosts (host, tenant_id) values ($1, $2)', [HOST, 'alpha'])
  await client.end()
}

const makeCertificate = (openssl: string, folder: string) => {
  const [certificate, key] = [join(folder, 'proof.crt'), join(folder, 'proof.key')]
  const subject = ['-subj', `/CN=${HOST}`, '-days', '2']
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync(openssl, ['req', ...kind, ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  return { certificate, key }
}

const isEvent = (text: string) => /^200 (retry|event|id|data|:)/.test(text)

/** A page, an API call, a 503 that must be forwarded, and a stream, each through the proxy at `port`. */
const checkProxy = async (name: string, port: number, access: string): Promise<Figure[]> => {
  const get = (path: string, headers = {}) => getStatus({ port, host: HOST, path, headers })
  const authorization = { authorization: `Bearer ${access}` }
  const stream = await readFirstBytes({ port, host: HOST, path: '/api/live/', headers: authorization })
  return [
    exactly(
      `${name}: page, API and unknown path of a tenant's host`,
      [await get('/'), await get('/api/verify-token/', authorization), await get('/api/nothing/')].join(' '),
      '200 200 404',
    ),
    exactly(`${name}: a stream arrives while it is open`, isEvent(stream) ? 'yes' : stream, 'yes'),
    exactly(`${name}: visitors asking which hosts are known`, await get(`/known-host?domain=${HOST}`), 404),
  ]
}

/** The first handshake for a host waits for its certificate. */
const untilServed = async (port: number) => {
  const begin = performance.now()
  while ((await getStatus({ port, host: HOST, path: '/healthz' })) !== 200) {
    if (performance.now() - begin > STUCK_AFTER_MS) throw new Error('The proxy did not become ready.')
    await pause(100)
  }
}

const countShortened = (lines: readonly string[]) => lines.filter((line) => line.includes('/...')).length

/** A proxy logs a request after its response. */
const readLastAccesses = async (readAccesses: () => string) => {
  const begin = performance.now()
  for (;;) {
    const lines = readAccesses().split('\n')
    if (countShortened(lines) >= SECRET_PATHS.length || performance.now() - begin > STUCK_AFTER_MS) return lines
    await pause(100)
  }
}

/** Only in the full form: installing the packages in the image takes minutes. */
const buildWherePossible = async (stack: MultiProcessStack, find: (name: string) => string | undefined) => {
  const [buildah, mmdebstrap, npm] = [find('buildah'), find('mmdebstrap'), process.env.npm_execpath]
  return buildah && mmdebstrap && npm ? checkImage({ buildah, mmdebstrap, npm }, stack) : []
}

const run = async ({ form, log }: ProofContext): Promise<Figure[]> => {
  const find = (name: string) => {
    const path = findTool(name)
    if (!path) log(`${name} is not installed; what needs it is not counted`)
    return path
  }
  const [systemd, nginx, caddy] = [find('systemd-analyze'), find('nginx'), find('caddy')]
  const [openssl, pgbouncer, pgbackrest] = [find('openssl'), find('pgbouncer'), find('pgbackrest')]
  const debian = findDebianPostgres()
  if (!debian) log('PostgreSQL of Debian is not installed; what needs it is not counted')
  const stack = await openMultiProcessStack({ terminals: 4 })
  await addHost(stack)
  const serve = await stack.child('serve', 'serve-1')
  await serve.untilReady()
  const { access } = await signIn(serve.url, 'alpha')
  const address = new URL(serve.url).host
  const upstreams = [address, address, address] as const
  const figures: Figure[] = []
  if (systemd) figures.push(...verifyUnits(systemd, join(stack.folder, 'units'), log))
  if (nginx && openssl) {
    const certificate = makeCertificate(openssl, stack.folder)
    const folder = join(stack.folder, 'nginx')
    const { port, readAccesses } = await startNginx({ program: nginx, folder, upstreams, certificate })
    await untilServed(port)
    figures.push(...(await checkProxy('nginx', port, access)))
    for (const path of SECRET_PATHS) await getStatus({ port, host: HOST, path })
    const lines = await readLastAccesses(readAccesses)
    figures.push(
      exactly('nginx: addresses with secrets in its log', countShortened(lines), SECRET_PATHS.length),
      exactly('nginx: secrets in its log', lines.filter((line) => line.includes(SECRET)).length, 0),
    )
  }
  if (caddy) {
    const { port, readLog } = await startCaddy({ program: caddy, folder: join(stack.folder, 'caddy'), upstreams })
    await untilServed(port).catch((error) => {
      log(readLog())
      throw error
    })
    const unknown = await getStatus({ port, host: UNKNOWN_HOST, path: '/healthz' })
    figures.push(
      ...(await checkProxy('Caddy', port, access)),
      exactly('Caddy: certificate for a host that is nobody’s', typeof unknown === 'number' ? unknown : 'none', 'none'),
    )
  }
  if (pgbouncer) figures.push(...(await checkPgBouncer(pgbouncer, stack)))
  if (pgbackrest && debian)
    figures.push(...(await checkPgBackRest(pgbackrest, debian, join(stack.folder, 'pgbackrest'))))
  if (form === 'full') figures.push(...(await buildWherePossible(stack, find)))
  return figures
}

export const packaging: Proof = {
  name: 'packaging',
  about:
    'The examples of deploy/ work as they are: image, units, nginx, Caddy with certificates on demand, and going back to a moment with pgBackRest. A pooler that would break it is refused.',
  run,
}
