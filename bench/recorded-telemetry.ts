import { DEFAULT_CREDENTIAL, startSimulator } from '#simulator/server.ts'
import { createStarlinkClient, type StarlinkClient } from '#starlink/client.ts'

const BATCH_ROWS = 65_000

export interface Recording {
  bodies: string[]
  client: StarlinkClient
  close: () => Promise<void>
}

/** Full batches of the last hours of a simulated fleet, as a lagging reader would receive them. */
export const recordTelemetry = async ({
  terminals,
  batches,
}: {
  terminals: number
  batches: number
}): Promise<Recording> => {
  const endMs = Date.now()
  let nowMs = endMs - 7 * 3_600_000
  const simulator = await startSimulator({ terminals, now: () => nowMs })
  const client = createStarlinkClient({ ...DEFAULT_CREDENTIAL, baseUrl: simulator.url, tokenUrl: simulator.tokenUrl })
  const bodies: string[] = []
  nowMs = endMs
  while (bodies.length < batches) bodies.push(await client.streamTelemetry({ batchSize: BATCH_ROWS, maxLingerMs: 0 }))
  return { bodies, client, close: simulator.close }
}
