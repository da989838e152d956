import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type AccountOptions, REQUESTS_PER_MINUTE } from '#simulator/accounts.ts'

const entry = fileURLToPath(new URL('../simulator/main.ts', import.meta.url))

export interface SimulatorProcess {
  origin: string
  baseUrl: string
  tokenUrl: string
  stop: () => Promise<void>
}

/** Twice what it needs. Without a limit, most of its memory would be garbage. */
const measureMemoryMb = (accounts: readonly AccountOptions[]) =>
  128 + Math.ceil(accounts.reduce((sum, { terminals }) => sum + terminals, 0) / 250)

/** Starts the simulator in another process, which is reached only by HTTP, like the vendor. It ends with this one. */
export const startSimulatorProcess = async (
  accounts: AccountOptions[],
  seed: number,
  requestsPerMinute = REQUESTS_PER_MINUTE,
): Promise<SimulatorProcess> => {
  const args = accounts.flatMap(({ clientId, clientSecret, terminals }) => [
    '--account',
    `${clientId}:${clientSecret}:${terminals}`,
  ])
  // Detached, so that Ctrl-C reaches only this process, which stops the connector before the simulator.
  const child = spawn(
    process.execPath,
    [
      // As for this process: it serves a whole fleet every few seconds.
      '--max-semi-space-size=16',
      `--max-old-space-size=${measureMemoryMb(accounts)}`,
      entry,
      '--port',
      '0',
      '--seed',
      String(seed),
      '--rate',
      String(requestsPerMinute),
      '--parent-pid',
      String(process.pid),
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], detached: true },
  )
  const firstLine = createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  const line = await Promise.race([firstLine.then(({ value }) => value), once(child, 'exit').then(() => undefined)])
  const found = /listening on (\S+) .* base (\S+), tokens (\S+)$/.exec(line ?? '')
  if (!found) throw new Error(`The simulator did not start: ${line ?? 'it ended at once'}`)
  const [, origin, baseUrl, tokenUrl] = found as unknown as [string, string, string, string]
  return {
    origin,
    baseUrl,
    tokenUrl,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
