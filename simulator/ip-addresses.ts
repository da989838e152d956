import { type Changes, hasPublicIp } from './changes.ts'
import type { Fleet, Terminal } from './fleet.ts'
import { hash } from './noise.ts'
import { PURPOSE } from './purposes.ts'
import { findLastPopChange } from './reading.ts'

export type IpAddresses = { ipv4: string[]; ipv6Ue: string[]; ipv6Cpe: string[] }

/** Changes exactly when the addresses do: on a new point of presence or another public IP setting. */
export const getAddressKey = (fleet: Fleet, changes: Changes, terminal: Terminal, atMs: number): number => {
  const { index: popIndex } = findLastPopChange(fleet.seed, terminal, atMs)
  const switches = terminal.line ? (changes.lines.get(terminal.line)?.publicIp ?? []) : []
  const switched = switches.filter((change) => change.atMs <= atMs).length
  return popIndex * 1_000 + switched
}

export const getAddresses = (fleet: Fleet, changes: Changes, terminal: Terminal, atMs: number): IpAddresses => {
  const drawn = hash(fleet.seed, terminal.index, getAddressKey(fleet, changes, terminal, atMs), PURPOSE.address)
  const isPublic = terminal.line !== null && hasPublicIp(changes, terminal.line, atMs)
  const byte = (shift: number) => (drawn >>> shift) & 0xff
  const group = (shift: number) => ((drawn >>> shift) & 0xffff).toString(16)
  // Without a public address, the vendor uses carrier-grade NAT: 100.64.0.0/10.
  const ipv4 = isPublic
    ? `98.97.${byte(0)}.${1 + (byte(8) % 254)}`
    : `100.${64 + (byte(16) % 64)}.${byte(0)}.${1 + (byte(8) % 254)}`
  return {
    ipv4: [ipv4],
    ipv6Ue: [`2605:59c8:${group(0)}:${group(16)}::/64`],
    ipv6Cpe: [`2605:59c8:${group(16)}:${(byte(0) << 8).toString(16)}::/56`],
  }
}
