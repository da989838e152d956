import { decodePathSegment, getField, RequestError } from './call.ts'
import { getNickname } from './changes.ts'
import type { Terminal } from './fleet.ts'
import { readTerminal } from './reading.ts'
import { type ApiResponse, json } from './response.ts'
import { isScenario, SCENARIOS } from './scenarios.ts'
import type { Simulation } from './simulation.ts'

const listScenarios = ({ scenarios }: Simulation) =>
  json(200, {
    scenarios: Object.entries(SCENARIOS).map(([name, description]) => ({
      name,
      on: isScenario(name) && scenarios.has(name),
      description,
    })),
  })

const describeTerminal = ({ fleet, changes, nowMs }: Simulation, terminal: Terminal) => ({
  userTerminalId: terminal.terminalId,
  kitSerialNumber: terminal.kitSerial,
  serviceLineNumber: terminal.line?.number ?? null,
  nickname: terminal.line && getNickname(changes, terminal.line),
  kind: terminal.kind,
  place: terminal.place.name,
  role: terminal.role,
  configId: changes.terminals.get(terminal)?.configId ?? null,
  isReporting: readTerminal(fleet, changes, terminal, nowMs()) !== null,
})

const getTerminal = (simulation: Simulation, name: string) => {
  const terminal = simulation.findTerminal(name)
  if (!terminal) throw new RequestError(404, `No terminal is called ${name}.`)
  return terminal
}

/** Controls for operators and tests, which the vendor does not have. `path` excludes the /simulator prefix. */
export const handleControl = (simulation: Simulation, method: string, path: string, body: unknown): ApiResponse => {
  const [, subject, name, action] = path.split('/')
  if (subject === 'scenarios' && name === undefined && method === 'GET') return listScenarios(simulation)
  if (subject === 'scenarios' && name === undefined && method === 'POST') {
    const scenario = getField(body, 'name')
    const on = getField(body, 'on')
    if (!isScenario(scenario))
      throw new RequestError(400, `name must be one of ${Object.keys(SCENARIOS).join(', ')}.`, 'name')
    if (typeof on !== 'boolean') throw new RequestError(400, 'on must be true or false.', 'on')
    if (on) simulation.scenarios.add(scenario)
    else simulation.scenarios.delete(scenario)
    return listScenarios(simulation)
  }
  if (subject === 'terminals' && name === undefined && method === 'GET') {
    return json(200, {
      terminals: simulation.fleet.terminals.map((terminal) => describeTerminal(simulation, terminal)),
    })
  }
  if (subject === 'terminals' && name !== undefined) {
    const terminal = getTerminal(simulation, decodePathSegment(name))
    if (action === undefined && method === 'GET') return json(200, describeTerminal(simulation, terminal))
    if ((action === 'down' || action === 'up') && method === 'POST') {
      simulation.takeDown(terminal, action === 'down')
      return json(200, describeTerminal(simulation, terminal))
    }
  }
  throw new RequestError(404, 'Not found. Use /simulator/scenarios or /simulator/terminals/ID/down|up.')
}
