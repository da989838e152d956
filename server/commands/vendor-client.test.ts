import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_CREDENTIAL, type Simulator, startSimulator } from '#simulator/server.ts'
import { requestsPerMinute } from '../vendor/request-shares.ts'
import { clientForCommand, holdRequests } from './vendor-client.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ terminals: 2 })
})
afterAll(() => simulator.close())

test('many commands at once stay within their share of the vendor’s rate, and the rest is told when to come back', async () => {
  const { url: baseUrl, tokenUrl } = simulator
  const credential = { id: 1, tenantId: 'a', baseUrl, tokenUrl, ...DEFAULT_CREDENTIAL }
  const device = simulator.fleet.terminals[0]?.terminalId as string
  const command = async () => clientForCommand(credential, holdRequests(credential, 1)).rebootTerminal(device)
  const outcomes = await Promise.allSettled(Array.from({ length: requestsPerMinute.commands + 10 }, command))
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(refused).toHaveLength(10)
  for (const error of refused) {
    expect(error).toMatchObject({
      status: 429,
      message: expect.stringMatching(/nothing was changed.*in \d+ seconds\./),
    })
    expect(error.retryAfterS).toBeLessThanOrEqual(61)
  }
  expect(simulator.simulation.credentials[0]?.requestsMs).toHaveLength(requestsPerMinute.commands)
})
