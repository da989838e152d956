import type { AccountOptions, Credential } from './accounts.ts'
import { type Changes, createChanges, getTerminalChanges } from './changes.ts'
import { buildFleet, type Fleet, type Line, type Terminal } from './fleet.ts'
import type { Scenario } from './scenarios.ts'
import { createStream } from './stream.ts'
import { createTraffic, type Traffic } from './traffic.ts'

export type SimulationOptions = {
  seed: number
  accounts: readonly AccountOptions[]
  /** How many times faster than the clock simulated time runs. */
  speed?: number
  /** The clock, which a test can set. */
  now?: () => number
}

export type Simulation = {
  fleet: Fleet
  changes: Changes
  credentials: Credential[]
  scenarios: Set<Scenario>
  /** Calls to the API and to the token endpoint. */
  traffic: Traffic
  /** The real time, used for tokens and request rates. */
  clockMs(): number
  /** The simulated time, used for the fleet. */
  nowMs(): number
  /** By terminal id, kit or dish serial, or the number or nickname of its line. */
  findTerminal(name: string): Terminal | null
  findLine(number: string): Line | null
  takeDown(terminal: Terminal, isDown: boolean): void
}

export const createSimulation = ({ seed, accounts, speed = 1, now = Date.now }: SimulationOptions): Simulation => {
  const startMs = now()
  const nowMs = () => Math.floor(startMs + (now() - startMs) * speed)
  const fleet = buildFleet(
    seed,
    accounts.map(({ terminals }) => terminals),
  )
  const changes = createChanges()
  const terminals = new Map<string, Terminal>()
  const lines = new Map<string, Line>()
  for (const terminal of fleet.terminals) {
    for (const name of [terminal.terminalId, terminal.kitSerial, terminal.dishSerial]) terminals.set(name, terminal)
    if (terminal.line) {
      terminals.set(terminal.line.number, terminal)
      terminals.set(terminal.line.nickname, terminal)
    }
  }
  for (const account of fleet.accounts) for (const line of account.lines) lines.set(line.number, line)

  return {
    fleet,
    changes,
    credentials: accounts.flatMap(({ clientId, clientSecret }, index) => {
      const account = fleet.accounts[index]
      if (!account) return []
      const stream = createStream(fleet, changes, account, startMs)
      return [{ clientId, clientSecret, account, stream, streaming: Promise.resolve(), requestsMs: [], pagesServed: 0 }]
    }),
    scenarios: new Set(),
    traffic: createTraffic(),
    clockMs: now,
    nowMs,
    findTerminal: (name) => terminals.get(name) ?? null,
    findLine: (number) => lines.get(number) ?? null,
    takeDown: (terminal, isDown) => {
      getTerminalChanges(changes, terminal).down.push({ atMs: nowMs(), on: isDown })
    },
  }
}
