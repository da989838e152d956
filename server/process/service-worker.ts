import { existsSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

export const serviceWorkerFile = 'worker.js'

/** Replaces a browser's existing service worker, deletes its caches, and unregisters itself. */
export const removalScript = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(remove()))
const remove = async () => {
  for (const name of await caches.keys()) if (name.startsWith('dishboard:')) await caches.delete(name)
  await registration.unregister()
}
`

/** Browsers check this path for a newer service worker whenever a page is opened. */
export const registerServiceWorker = (app: FastifyInstance, root: string, isOn: boolean) =>
  app.get(`/${serviceWorkerFile}`, async (_request, reply) => {
    reply.header('cache-control', 'no-cache')
    if (!isOn || !existsSync(`${root}${serviceWorkerFile}`)) return reply.type('text/javascript').send(removalScript)
    return reply.sendFile(serviceWorkerFile, { cacheControl: false })
  })
