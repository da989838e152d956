import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_CREDENTIAL, type Simulator, startSimulator } from '#simulator/server.ts'
import { requestsPerMinute } from '../vendor/request-shares.ts'
import { clientForCommand } from './vendor-client.ts'
import { failureOf } from './vendor-failure.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ terminals: 2 })
})
afterAll(() => simulator.close())

test('many commands at once stay within their share of the vendor’s rate, and the rest is certainly not sent', async () => {
  const { url: baseUrl, tokenUrl } = simulator
  const credential = { id: 1, tenantId: 'a', baseUrl, tokenUrl, ...DEFAULT_CREDENTIAL }
  const device = simulator.fleet.terminals[0]?.terminalId as string
  const outcomes = await Promise.all(
    Array.from({ length: requestsPerMinute.commands + 10 }, () =>
      clientForCommand(credential, 3_000)
        .rebootTerminal(device)
        .then(() => 'taken', failureOf),
    ),
  )
  expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(requestsPerMinute.commands)
  const rest = outcomes.filter((outcome) => outcome !== 'taken')
  expect(new Set(rest.map((outcome) => (typeof outcome === 'string' ? outcome : outcome.state)))).toEqual(
    new Set(['refused']),
  )
  expect(simulator.simulation.credentials[0]?.requestsMs).toHaveLength(requestsPerMinute.commands)
})
