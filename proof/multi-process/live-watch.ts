import type { Client } from './client.ts'

/** A live stream that counts what it receives, and reconnects like a browser. */
export const watchLive = (client: Client, url: string) => {
  const ending = new AbortController()
  let received = ''
  let isOpen = false

  const follow = async () => {
    while (!ending.signal.aborted) {
      try {
        const response = await fetch(`${url}/api/live/?details=true`, {
          headers: { authorization: `Bearer ${client.access}`, 'x-tenant': client.tenantId },
          signal: ending.signal,
        })
        isOpen = response.status === 200
        for await (const chunk of response.body ?? [])
          received = (received + Buffer.from(chunk).toString('utf8')).slice(-200_000)
      } catch {
        // The server is temporarily down.
      }
      isOpen = false
      if (!ending.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const following = follow()

  return {
    hasReceived: (text: string) => received.includes(text),
    isOpen: () => isOpen,
    stop: async () => {
      ending.abort()
      await following
    },
  }
}

export type LiveWatch = ReturnType<typeof watchLive>
