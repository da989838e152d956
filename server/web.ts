import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { noSuchCall } from './http-errors.ts'

const root = fileURLToPath(new URL('../dist/web/', import.meta.url))

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** The page of every address that is no file and no call; the app in it knows which screens there are. */
const readPage = async (marketingUrl: string) => {
  if (!existsSync(`${root}index.html`)) return undefined
  const page = await readFile(`${root}index.html`, 'utf8')
  const meta = `<meta name="dishboard:marketing-url" content="${escapeAttribute(marketingUrl)}">`
  return page.replace('</head>', `${meta}</head>`)
}

export const registerWeb = async (app: FastifyInstance, marketingUrl: string) => {
  const page = await readPage(marketingUrl)
  if (page !== undefined)
    await app.register(fastifyStatic, {
      root,
      index: false,
      wildcard: false,
      preCompressed: true,
      setHeaders: (reply, path) => {
        // Names in assets/ carry a hash of their content.
        if (path.includes('/assets/')) reply.header('cache-control', 'public, max-age=31536000, immutable')
      },
    })
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' && !request.url.startsWith('/api') && !/\.\w+$/.test(request.url)
    if (!wantsPage || page === undefined) return reply.status(404).send(noSuchCall.body)
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page)
  })
}
