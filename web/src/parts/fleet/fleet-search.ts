import type { TerminalDetailsItem, TerminalListItem } from '#contract/terminals.ts'
import { shownStatus, statusLabels } from '../status.ts'

interface Step<Item> {
  wanted: string
  found: readonly Item[]
  texts: readonly string[] | undefined
}

const typed = new WeakMap<readonly TerminalListItem[], Step<TerminalListItem>[]>()

/**
 * The terminals that contain the text in any field; the same array when all do. A longer text is searched only in the
 * previous result, and a shorter one returns the result from before.
 */
export function findText<Item extends TerminalListItem>(terminals: readonly Item[], text: string): readonly Item[] {
  const wanted = fold(text)
  // A list of a fleet contains only its own terminals.
  const steps = (typed.get(terminals) ?? []) as Step<Item>[]
  const usable = steps.filter((step) => wanted.includes(step.wanted))
  const last = usable.at(-1) ?? { wanted: '', found: terminals, texts: preparedTexts.get(terminals) }
  if (last.wanted === wanted) return last.found
  const next = narrow(last, wanted)
  typed.set(terminals, [...usable, next])
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

// Some lowercase letters (ẖ) have no single uppercase letter; converting to uppercase first makes both spellings equal. A
// final sigma is a letter of its own, which a search for part of a word would miss.
const fold = (value: string) =>
  ascii.test(value) ? value.toLowerCase() : value.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
const ascii = /^[\n -~]*$/

const searchTexts = new WeakMap<TerminalListItem, string>()

/** The searched text, built once for each state of a terminal. */
function searchable(terminal: TerminalListItem) {
  const known = searchTexts.get(terminal)
  if (known !== undefined) return known
  // A line break keeps a search from matching the end of one field and the beginning of the next.
  const text = fold(listSearchFields(terminal).join('\n'))
  searchTexts.set(terminal, text)
  return text
}

const terminalsAtATime = 200
const preparedTexts = new WeakMap<readonly TerminalListItem[], readonly string[]>()

/**
 * Builds the search texts of a large fleet while the browser is idle, so that the first letter of a search is as fast as
 * the others. Stops when `signal` aborts.
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
