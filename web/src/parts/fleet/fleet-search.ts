import type { TerminalDetailsItem, TerminalListItem } from '#contract/terminals.ts'
import { shownStatus, statusLabels } from '../status.ts'

interface Step<Item> {
  wanted: string
  found: readonly Item[]
  texts: readonly string[] | undefined
}

const typed = new WeakMap<readonly TerminalListItem[], Step<TerminalListItem>[]>()

/**
 * Those that hold the text in any field; where all do, the very list that came. Somebody who types on looks only through
 * what was found so far, and somebody who takes a letter back gets what was there.
 */
export function findText<Item extends TerminalListItem>(terminals: readonly Item[], text: string): readonly Item[] {
  const wanted = fold(text)
  // A list of a fleet holds nothing but its own terminals.
  const steps = (typed.get(terminals) ?? []) as Step<Item>[]
  const kept = steps.filter((step) => wanted.includes(step.wanted))
  const last = kept.at(-1) ?? { wanted: '', found: terminals, texts: preparedTexts.get(terminals) }
  if (last.wanted === wanted) return last.found
  const next = narrow(last, wanted)
  typed.set(terminals, [...kept, next])
  return next.found
}

function narrow<Item extends TerminalListItem>({ found, texts }: Step<Item>, wanted: string): Step<Item> {
  const nextFound: Item[] = []
  const nextTexts: string[] = []
  for (let at = 0; at < found.length; at++) {
    const terminal = found[at] as Item
    const text = texts?.[at] ?? searchable(terminal)
    if (!text.includes(wanted)) continue
    nextFound.push(terminal)
    nextTexts.push(text)
  }
  return nextFound.length === found.length
    ? { wanted, found, texts: texts ?? nextTexts }
    : { wanted, found: nextFound, texts: nextTexts }
}

// Some small letters (ẖ) have no large one of their own: only by way of the large ones do both spellings meet. A sigma at
// the end of a word has a letter of its own, which a search for the middle of a word would miss.
const fold = (value: string) =>
  ascii.test(value) ? value.toLowerCase() : value.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
const ascii = /^[\n -~]*$/

const remembered = new WeakMap<TerminalListItem, string>()

/** The text that is searched, made once for each state of a terminal. */
function searchable(terminal: TerminalListItem) {
  const known = remembered.get(terminal)
  if (known !== undefined) return known
  // A line break keeps a search from matching the end of one field and the beginning of the next.
  const made = fold(listSearchFields(terminal).join('\n'))
  remembered.set(terminal, made)
  return made
}

const terminalsAtATime = 200
const preparedTexts = new WeakMap<readonly TerminalListItem[], readonly string[]>()

/**
 * Makes the texts of a large fleet while nobody waits for them, so that the first letter of a search is as quick as the
 * others; until `signal` aborts.
 */
export function prepareSearch(terminals: readonly TerminalListItem[], signal: AbortSignal) {
  const texts: string[] = []
  const proceed = (hasTime: () => boolean) => {
    if (signal.aborted) return
    do {
      for (const terminal of terminals.slice(texts.length, texts.length + terminalsAtATime))
        texts.push(searchable(terminal))
    } while (texts.length < terminals.length && hasTime())
    if (texts.length < terminals.length) whenIdle(proceed)
    else preparedTexts.set(terminals, texts)
  }
  whenIdle(proceed)
}

export const isPrepared = (terminals: readonly TerminalListItem[]) => preparedTexts.has(terminals)

const whenIdle = (work: (hasTime: () => boolean) => void) => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback((deadline) => work(() => deadline.timeRemaining() > 2))
  else setTimeout(work, 20, () => false)
}

type Field = string | number | false | null | undefined

function listSearchFields(terminal: TerminalListItem) {
  const { customname, nickname, serviceLine, deviceID, street, city, state, coordinates, alerts, isMobile } = terminal
  const fields: Field[] = [customname, nickname, serviceLine, deviceID, street, city, state, ...alerts]
  fields.push(city && state && `${city}, ${state}`, coordinates?.join(', '), isMobile && 'Mobile')
  fields.push(statusLabels[shownStatus(terminal)], terminal.status)
  if ('kitnumber' in terminal) fields.push(...listDetailSearchFields(terminal as TerminalDetailsItem))
  return fields.filter((field) => field !== null && field !== undefined && field !== false && field !== '')
}

const listDetailSearchFields = (item: TerminalDetailsItem): Field[] => [
  item.kitnumber,
  item.serviceName,
  item.virtual_plan_name,
  item.opt_in_product_id,
  item.ipv4,
  item.ipv6_ue,
  item.ipv6_cpe,
  item.priority_GB,
  item.standard_GB,
  item.usage_limit_GB,
  item.pool_current_usage,
  item.pool_usage_limit,
  item.obstruction,
  item.pingdrop,
  item.latency,
  item.uplink,
  item.downlink,
  item.clients,
  item.metadata1,
  item.metadata2,
  item.metadata3,
  ...item.data_blocks.map(({ dataBlockType }) => dataBlockType),
]
