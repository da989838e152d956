import { contentWords } from './words.ts'

/** What the assistant knows about each terminal. */
export type Fact =
  | 'speed'
  | 'latency'
  | 'pingdrop'
  | 'signal_quality'
  | 'obstruction'
  | 'uptime'
  | 'clients'
  | 'usage'
  | 'place'
  | 'plan'
  | 'addresses'
  | 'software'
  | 'numbers'
  | 'notes'
  | 'group'

/** Phrases with another meaning than their words alone. */
const PHRASES: [RegExp, string][] = [
  [/\bping\s+drops?(\s+rates?)?\b|\b(dropped|lost)\s+pings?\b/gi, ' pingdrop '],
  [/\bip(\s*v?\s*[46])?\s+address(es)?\b/gi, ' ip '],
  [/\b(kit|serial|service\s+line)\s+(numbers?|id)\b|\b(device|starlink|terminal|dish)\s+id\b/gi, ' kitnumber '],
  [/\b(service|data)\s+plans?\b/gi, ' plan '],
  [/\b(when|last)\b.*\b(restart|reboot)(ed)?\b|\bhow\s+long\b.*\b(up|running)\b|\bup\s+time\b/gi, ' uptime '],
  [/\bhow\s+(fast|slow|quick)\b/gi, ' speed '],
  [/\bhow\s+(strong|good|bad|poor|high|low|clear|long|far)\b/gi, ' '],
]

const FACT_WORDS: [Fact, ReadonlySet<string>][] = [
  ['speed', contentWords('speed throughput bandwidth mbps kbps download upload downlink uplink')],
  ['latency', contentWords('latency ping delay lag laggy')],
  ['pingdrop', contentWords('pingdrop packet packets loss lost lose loses losing drop drops dropping dropped')],
  ['signal_quality', contentWords('signal reception')],
  ['obstruction', contentWords('obstruction obstructions obstructed sky')],
  ['uptime', contentWords('uptime restarted rebooted')],
  ['clients', contentWords('device devices client clients phones computers laptops')],
  ['usage', contentWords('usage gb gigabytes used consumed consumption quota limit allowance')],
  ['place', contentWords('location located place address street city position coordinates gps')],
  ['plan', contentWords('plan subscription product package pool')],
  ['addresses', contentWords('ip ips ipv4 ipv6')],
  ['software', contentWords('software firmware version')],
  ['numbers', contentWords('kitnumber serial')],
  ['notes', contentWords('metadata note notes')],
  ['group', contentWords('customer group whose belong')],
]

/** They mean the speed, unless something else is named: 'the slowest terminal', 'slow latency'. */
const SPEED_ADJECTIVES = contentWords('fast faster fastest slow slower slowest quick quickest')

const RANKS = {
  highest: contentWords('highest high higher most maximum max top longest biggest largest many much'),
  lowest: contentWords('lowest low lower least minimum min fewest shortest smallest few'),
  worst: contentWords('worst poor poorest bad weak weakest slow slower slowest laggy lose loses losing lost dropping'),
  best: contentWords('best good fast faster fastest quick quickest strong strongest clear clearest'),
}
export type Rank = keyof typeof RANKS
const SUPERLATIVE = /^(most|least|worst|best|max|maximum|min|minimum|top|fewest)$|est$/

/** Words of questions about a past that the newest values do not answer. */
const PAST_WORDS = contentWords(
  'yesterday week month year night hour hours ago before earlier history average trend past',
)

const AROUND = contentWords(
  `whats terminal list show tell give check much many all any every each currently current now right moment today still site
   sites line lines fleet status value values figure figures level rate quality strength latest newest last known number count
   total connected online up internet connection service network view public connect receive received send sent data use uses
   than name run runs`,
)

/** What a question about values of terminals consists of. */
export const FACT_QUESTION_WORDS: ReadonlySet<string> = new Set(
  [...FACT_WORDS.map(([, known]) => known), ...Object.values(RANKS), SPEED_ADJECTIVES, PAST_WORDS, AROUND].flatMap(
    (known) => [...known],
  ),
)

/** A request to do something: 'reboot Nome School', 'Can you please rename it?' */
const ASKS_TO_ACT =
  /^\W*((can|could|would|will)\s+you\s+)?(please\s+)?(re(boot|start|name|set)|turn|switch|disable|enable|set|change|upgrade|add|remove|delete|create|buy|cancel|stop)\b/i
export const asksToAct = (question: string) => ASKS_TO_ACT.test(question)

/** A question about how something is done, who did it or about us is not about values. */
const IS_OTHER =
  /\bhow\s+(do|can|could|to)\b(?!.*\b(see|find|know|check)\b)|\b(can|could|may)\s+(i|we)\s+(get|have)\b|\bwho\b|\byour\b|\bare\s+you\b/i
/** 'What is latency?', as against 'What is the latency?'. */
const ASKS_WHAT_IT_IS = /^\W*(what\s+(is|are|does)|what's)\b(?!.*\b(my|our|the)\b)/i

/** Of a question that names no terminal, which ones it asks for. */
const ASKS_WHICH = /\b(which|any|list|show|terminals|dishes|kits|sites|lines)\b/i

export interface FactQuestion {
  facts: readonly Fact[]
  /** It asks for the terminals that are first by this order of a value. */
  rank: Rank | undefined
  isPast: boolean
  isUpload: boolean
  /** It asks about the fact as such, unless it names a terminal. */
  asksWhatItIs: boolean
}

/** The values that a question is about, once the names are taken out; undefined if it is also about something else. */
export const findFactQuestion = (question: string, others: ReadonlySet<string>): FactQuestion | undefined => {
  if (IS_OTHER.test(question) || asksToAct(question)) return undefined
  const phrased = PHRASES.reduce((text, [phrase, word]) => text.replace(phrase, word), question)
  const words = [...contentWords(phrased)]
  const has = (known: ReadonlySet<string>) => words.some((word) => known.has(word))
  if (!words.every((word) => FACT_QUESTION_WORDS.has(word) || others.has(word))) return undefined
  const facts = FACT_WORDS.filter(([, known]) => has(known)).map(([fact]) => fact)
  const ranks = (Object.keys(RANKS) as Rank[]).filter((each) => has(RANKS[each]))
  const isSuperlative = ranks.some((each) => words.some((word) => SUPERLATIVE.test(word) && RANKS[each].has(word)))
  if (facts.length === 0 && has(SPEED_ADJECTIVES)) facts.push('speed')
  const isPast = has(PAST_WORDS) || (/\b(was|were)\b/i.test(question) && words.includes('today'))
  if (facts.length === 0 && (isSuperlative || isPast) && words.includes('data')) facts.push('usage')
  if (facts.length === 0 && /\bwhere\b/i.test(question)) facts.push('place')
  if (facts.length === 0) return undefined
  return {
    facts,
    rank: isSuperlative || ASKS_WHICH.test(question) ? (ranks[0] ?? 'worst') : undefined,
    isPast,
    isUpload: has(contentWords('upload uplink')) && !has(contentWords('download downlink')),
    asksWhatItIs: ASKS_WHAT_IT_IS.test(question),
  }
}
