import { once } from 'node:events'

interface Reply {
  id?: number
  result?: { usedSize: number }
}

/** Measures the heap of a process after a full garbage collection, through its inspector. */
export const openMemory = async (inspectorPort: number) => {
  const response = await fetch(`http://127.0.0.1:${inspectorPort}/json/list`)
  const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[]
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '')
  await once(socket, 'open')
  let lastId = 0
  const call = (method: string) =>
    new Promise<Reply['result']>((resolve) => {
      const id = ++lastId
      const receive = ({ data }: MessageEvent) => {
        const reply = JSON.parse(String(data)) as Reply
        if (reply.id !== id) return
        socket.removeEventListener('message', receive)
        resolve(reply.result)
      }
      socket.addEventListener('message', receive)
      socket.send(JSON.stringify({ id, method }))
    })
  return {
    heapBytes: async () => {
      await call('HeapProfiler.collectGarbage')
      return (await call('Runtime.getHeapUsage'))?.usedSize ?? Number.NaN
    },
    close: () => socket.close(),
  }
}

/** Theil–Sen estimator: the median slope of all pairs, which outliers do not affect. */
export const computeSlope = (points: readonly { x: number; y: number }[]) => {
  const slopes = points.flatMap((one, index) =>
    points.slice(index + 1).map((other) => (other.y - one.y) / (other.x - one.x)),
  )
  return slopes.toSorted((one, other) => one - other)[slopes.length >> 1] ?? Number.NaN
}
