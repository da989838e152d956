import type { Fleet, Line, Terminal } from './fleet.ts'

/** What commands have changed since the start. The fleet itself never changes. */
export type Changes = {
  terminals: Map<Terminal, TerminalChanges>
  lines: Map<Line, LineChanges>
}

export type Switch = { atMs: number; on: boolean }

export type TerminalChanges = {
  rebootedMs: number[]
  /** Taken down (`on`) and brought up through the control API, oldest first. */
  down: Switch[]
  configId: string | null
}

export type LineChanges = {
  nickname: string | null
  publicIp: Switch[]
  optIn: Switch[]
  topUps: { productId: string; count: number; atMs: number }[]
}

/** Everything that determines what the simulator reports at a given moment. */
export type FleetState = { fleet: Fleet; changes: Changes }

export const createChanges = (): Changes => ({ terminals: new Map(), lines: new Map() })

export const getTerminalChanges = ({ terminals }: Changes, terminal: Terminal): TerminalChanges => {
  let changes = terminals.get(terminal)
  if (!changes) {
    changes = { rebootedMs: [], down: [], configId: null }
    terminals.set(terminal, changes)
  }
  return changes
}

export const getLineChanges = ({ lines }: Changes, line: Line): LineChanges => {
  let changes = lines.get(line)
  if (!changes) {
    changes = { nickname: null, publicIp: [], optIn: [], topUps: [] }
    lines.set(line, changes)
  }
  return changes
}

/** The newest switch before a moment. Late rows are rendered with the switch of their own time. */
export const findSwitch = (switches: readonly Switch[], atMs: number): Switch | null => {
  let newest: Switch | null = null
  for (const change of switches) if (change.atMs <= atMs) newest = change
  return newest
}

export const getNickname = (changes: Changes, line: Line) => changes.lines.get(line)?.nickname ?? line.nickname

export const hasPublicIp = (changes: Changes, line: Line, atMs: number) =>
  findSwitch(changes.lines.get(line)?.publicIp ?? [], atMs)?.on ?? line.publicIp

export const isOptedIn = (changes: Changes, line: Line, atMs: number) =>
  findSwitch(changes.lines.get(line)?.optIn ?? [], atMs)?.on ?? line.optedIn
