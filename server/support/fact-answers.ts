import { formatAge, formatUptime } from '#contract/format/durations.ts'
import { formatList } from '#contract/format/lists.ts'
import { formatCounted, formatPercent } from '#contract/format/numbers.ts'
import { formatAddress } from '#contract/format/places.ts'
import { formatLatency, formatSpeed } from '#contract/format/units.ts'
import { type MeasureName, measures } from '#contract/measures.ts'
import type { AssistantAnswer } from '#contract/support.ts'
import { DELAYED_AFTER_MS } from '#contract/terminal-status.ts'
import { getCoordinates } from '../fleet/list-item.ts'
import { joinAddresses } from '../fleet/wire-item.ts'
import type { Read } from '../platform/database/database.ts'
import { type LastKnown, readLastKnown } from '../terminal-detail/last-known.ts'
import type { Fact } from './fact-questions.ts'
import type { FormatMoment } from './format-moment.ts'
import { describeLine } from './usage-answers.ts'
import { getName, toAssistantTerminal, type VisibleTerminal } from './visible-terminals.ts'

export const LISTED_MAX = 5

const formatShare = (fraction: number) => formatPercent(fraction * 100, 1)

/** How the value of a measured fact is written, now and for a time in the past. */
export interface MeasuredFact {
  noun: string
  format: (value: number) => string
  is: (value: string) => string
  was: (value: string) => string
}

export const measuredFacts = {
  latency: {
    noun: 'latency',
    format: formatLatency,
    is: (value) => `has a latency of ${value}`,
    was: (value) => `had a latency of ${value}`,
  },
  pingdrop: {
    noun: 'packet loss',
    format: formatShare,
    is: (value) => `loses ${value} of its packets`,
    was: (value) => `lost ${value} of its packets`,
  },
  signal_quality: {
    noun: 'signal quality',
    format: formatShare,
    is: (value) => `has a signal quality of ${value}`,
    was: (value) => `had a signal quality of ${value}`,
  },
  obstruction: {
    noun: 'obstruction',
    format: formatShare,
    is: (value) => `has an obstructed sky ${value} of the time`,
    was: (value) => `had an obstructed sky ${value} of the time`,
  },
  uptime: {
    noun: 'uptime',
    format: formatUptime,
    is: (value) => `has been running for ${value}`,
    was: (value) => `had been running for ${value}`,
  },
  clients: {
    noun: 'number of connected devices',
    format: (count) => formatCounted(count, 'connected device'),
    is: (value) => `has ${value}`,
    was: (value) => `had ${value}`,
  },
} satisfies Partial<Record<Fact, MeasuredFact>>

const speed: MeasuredFact = {
  noun: 'throughput',
  format: formatSpeed,
  is: (value) => `carries ${value}`,
  was: (value) => `carried ${value}`,
}
export const ABOUT_SPEED = 'This is what the devices behind it use, not the most that it can carry.'

export interface FactContext {
  read: Read
  tenantId: string
  now: Date
  formatMoment: FormatMoment
}

interface Reading {
  value: string
  at: Date | null
}

type Known = ReadonlyMap<MeasureName, LastKnown>

const formatReading = (
  terminal: VisibleTerminal,
  fact: MeasuredFact,
  reading: Reading | undefined,
  context: FactContext,
) => {
  const name = getName(terminal)
  if (!reading?.at) return `The ${fact.noun} of ${name} is not known.`
  const { value, at } = reading
  const isCurrent = terminal.status === 'online' && context.now.getTime() - at.getTime() <= DELAYED_AFTER_MS
  if (isCurrent) return `${name} ${fact.is(value)}.`
  const age = formatAge(at.getTime(), context.now.getTime())
  return `${name} ${fact.was(value)} ${age}, on ${context.formatMoment(at)}.`
}

/** The newest sample may lack a value that an older one has. */
const readValue = (terminal: VisibleTerminal, known: Known, name: MeasureName) => {
  const value = terminal[name]
  return value === null ? known.get(name) : { value, at: terminal.last_seen }
}

const describeSpeed = (terminal: VisibleTerminal, known: Known, context: FactContext) => {
  const [down, up] = [readValue(terminal, known, 'downlink'), readValue(terminal, known, 'uplink')]
  const parts = [down && `${formatSpeed(down.value)} down`, up && `${formatSpeed(up.value)} up`].filter(
    (part) => part !== undefined,
  )
  const at = down?.at ?? up?.at ?? null
  return formatReading(terminal, speed, parts.length > 0 ? { value: formatList(parts), at } : undefined, context)
}

const describeMeasured = (
  terminal: VisibleTerminal,
  name: keyof typeof measuredFacts,
  known: Known,
  context: FactContext,
) => {
  const fact: MeasuredFact = measuredFacts[name]
  const { uptime_s, clients, last_seen, clients_at } = terminal
  const find = () => {
    if (name === 'uptime') return { value: uptime_s, at: last_seen }
    if (name === 'clients') return { value: clients, at: clients_at }
    return readValue(terminal, known, name)
  }
  const { value = null, at = null } = find() ?? {}
  return formatReading(terminal, fact, value === null ? undefined : { value: fact.format(value), at }, context)
}

const describePlace = (terminal: VisibleTerminal) => {
  const place = formatAddress({ ...terminal, isMobile: terminal.is_mobile, coordinates: getCoordinates(terminal) })
  return place === '' ? `The place of ${getName(terminal)} is not known.` : `${getName(terminal)} is at ${place}.`
}

const describePlan = (terminal: VisibleTerminal) => {
  const { product_name, pool_name } = terminal
  const plan = product_name ? `is on the plan ${product_name}` : 'has no plan that I know'
  return `${getName(terminal)} ${plan}${pool_name ? `, and shares the data of the pool ${pool_name}` : ''}.`
}

const describeAddresses = (terminal: VisibleTerminal) => {
  const { ipv4, ipv6_ue, ipv6_cpe, public_ip } = terminal
  const parts = [
    [joinAddresses(ipv4), 'IPv4'],
    [joinAddresses(ipv6_ue), 'IPv6 UE'],
    [joinAddresses(ipv6_cpe), 'IPv6 CPE'],
  ].flatMap(([address, kind]) => (address ? [`${kind} ${address}`] : []))
  const addresses = parts.length > 0 ? `has the addresses ${formatList(parts)}` : 'has not reported its addresses'
  return `${getName(terminal)} ${addresses}. Its IP policy is ${public_ip ? 'public IP' : 'default'}.`
}

const describeNumbers = (terminal: VisibleTerminal) => {
  const { kit_serial, service_line_number, device_id } = terminal
  const numbers = [
    `the service line number ${service_line_number}`,
    ...(kit_serial ? [`the kit number ${kit_serial}`] : []),
    ...(device_id ? [`the device ID ${device_id}`] : []),
  ]
  return `${getName(terminal)} has ${formatList(numbers)}.`
}

const describeNotes = (terminal: VisibleTerminal) => {
  const notes = [terminal.metadata1, terminal.metadata2, terminal.metadata3].filter(Boolean) as string[]
  return notes.length > 0
    ? `The notes of ${getName(terminal)}: ${notes.join('; ')}.`
    : `${getName(terminal)} has no notes.`
}

const describeFact = (terminal: VisibleTerminal, fact: Fact, known: Known, context: FactContext) => {
  if (fact === 'speed') return describeSpeed(terminal, known, context)
  if (fact === 'usage') return describeLine(terminal)
  if (fact === 'place') return describePlace(terminal)
  if (fact === 'plan') return describePlan(terminal)
  if (fact === 'addresses') return describeAddresses(terminal)
  if (fact === 'numbers') return describeNumbers(terminal)
  if (fact === 'notes') return describeNotes(terminal)
  if (fact === 'group') return `${getName(terminal)} belongs to the group ${terminal.group_name}.`
  if (fact === 'software')
    return terminal.software_version
      ? `${getName(terminal)} runs the software version ${terminal.software_version}.`
      : `The software version of ${getName(terminal)} is not known.`
  return describeMeasured(terminal, fact, known, context)
}

const isMeasure = (fact: Fact) => fact === 'speed' || measures.some(({ name }) => name === fact)

/** The facts of the terminals: the newest value, or the last known with its age. */
export const describeFacts = async (
  terminals: readonly VisibleTerminal[],
  facts: readonly Fact[],
  context: FactContext,
): Promise<string[]> => {
  const lines: string[] = []
  for (const terminal of terminals) {
    const { id, last_seen } = terminal
    const known =
      id !== null && facts.some(isMeasure)
        ? await readLastKnown(context.read, context.tenantId, { ...terminal, id, at: last_seen })
        : new Map()
    lines.push(facts.map((fact) => describeFact(terminal, fact, known, context)).join(' '))
  }
  if (facts.includes('speed')) lines.push(ABOUT_SPEED)
  return lines
}

export const replyWithTerminals = (
  lines: readonly string[],
  terminals: readonly VisibleTerminal[],
  links: AssistantAnswer['links'] = [],
): AssistantAnswer => ({
  answer: lines.join('\n'),
  source: 'terminals',
  terminals: terminals.map(toAssistantTerminal),
  links,
  offersTicket: false,
})
