import { type Client, msUntil, type Request } from '../multi-process/client.ts'
import type { LiveWatch } from '../multi-process/live-watch.ts'
import type { OwnLine } from '../multi-process/write-kinds.ts'

interface Reach {
  client: Client
  line: OwnLine
  /** Processes that make the changes, in turn; all others must receive them. */
  urls: readonly string[]
  watches: readonly LiveWatch[]
  round: string
}

/** Repeats a request that an overloaded process rejected. */
const change = async (client: Client, url: string, request: Request) => {
  let status: number | undefined
  const isAnswered = async () => {
    const response = await client.call(url, request)
    status = response?.status
    return status !== 503 && status !== undefined
  }
  await msUntil(isAnswered)
  if (status !== 200) throw new Error(`A change returned ${status}.`)
}

/** Makes a change at each process in turn; returns how long it took until the pages of all processes received it. */
export const measureReach = async ({ client, line, urls, watches, round }: Reach, changes: number) => {
  const receivedMs: number[] = []
  let missed = 0
  await msUntil(() => watches.every(({ isOpen }) => isOpen()))
  for (let number = 0; number < changes; number++) {
    const value = `reach ${round} ${number}`
    const path = `/service-lines/${encodeURIComponent(line.nickname)}/metadata/metadata3/`
    await change(client, urls[number % urls.length] as string, { method: 'PATCH', path, body: { value } })
    const times = await Promise.all(watches.map(({ hasReceived }) => msUntil(() => hasReceived(value))))
    missed += times.filter(Number.isNaN).length
    receivedMs.push(Math.max(...times.filter((ms) => !Number.isNaN(ms))))
  }
  return { receivedMs, missed }
}
