import { afterEach, beforeEach, vi } from 'vitest'

type Respond = (request: Request) => Response | Promise<Response>

const origin = 'https://portal.example'

class MemoryStorage {
  readonly #items = new Map<string, string>()
  getItem = (key: string) => this.#items.get(key) ?? null
  setItem = (key: string, value: string) => void this.#items.set(key, value)
  removeItem = (key: string) => void this.#items.delete(key)
}

class MemoryCaches {
  readonly #caches = new Map<string, Map<string, string>>()
  has = async (name: string) => this.#caches.has(name)
  delete = async (name: string) => this.#caches.delete(name)
  open = async (name: string) => {
    const entries = this.#caches.get(name) ?? new Map<string, string>()
    this.#caches.set(name, entries)
    return {
      put: async (path: string, response: Response) => {
        const text = await response.text()
        entries.delete(path)
        entries.set(path, text)
      },
      match: async (path: string) => (entries.has(path) ? new Response(entries.get(path)) : undefined),
      keys: async () => [...entries.keys()],
      delete: async (path: string) => entries.delete(path),
    }
  }
}

/**
 * Stands in for the browser around the code under test: empty storage, an empty cache, and a server that `respondWith`
 * defines. Every request is recorded.
 */
export function setUpBrowser() {
  const requests: Request[] = []
  let respond: Respond
  beforeEach(() => {
    requests.length = 0
    respond = () => Response.json({ error: 'not_found', message: 'There is no such call.' }, { status: 404 })
    vi.stubGlobal('localStorage', new MemoryStorage())
    vi.stubGlobal('sessionStorage', new MemoryStorage())
    vi.stubGlobal('caches', new MemoryCaches())
    vi.stubGlobal('window', new EventTarget())
    vi.stubGlobal('self', window)
    vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false, querySelector: () => null }))
    vi.stubGlobal('location', new URL(origin))
    vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
      const request = new Request(new URL(url, origin), init)
      requests.push(request)
      return respond(request)
    })
  })
  afterEach(() => void vi.unstubAllGlobals())
  return {
    requests,
    respondWith: (next: Respond) => {
      respond = next
    },
    /** What a browser does in this tab after another tab has written to local storage. */
    reportStorageChange: () => void window.dispatchEvent(new Event('storage')),
  }
}

/** An access token as the server would issue it, unsigned: the browser only reads its claims. */
export const createToken = (claims: object) => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`
