import { sql } from 'kysely'
import { formatShort } from '#contract/format/numbers.ts'
import { formatDay } from '#contract/format/times.ts'
import { formatGb } from '#contract/format/units.ts'
import type { AssistantAnswer } from '#contract/support.ts'
import type { Db } from '../platform/database/database.ts'
import { findNamed } from './named-terminals.ts'
import { getName, listVisibleTerminals, toAssistantTerminal, type VisibleTerminal } from './visible-terminals.ts'
import { contentWords } from './words.ts'

const POOLS_MAX = 200
const LISTED_MAX = 5

export const USAGE_WORDS = contentWords(
  'data gb gigabytes usage used use left remaining remain allowance quota limit limits consumed consumption pool pools billing cycle full over end ends run',
)
const AROUND = contentWords(
  'much many line lines site sites terminal month monthly still far share there plan plans total all each any until almost nearly next out',
)

const LEFT = [...contentWords('left remaining remain')]
/** It asks for lines, even of those who manage pools. */
const ASKS_FOR_LINES = /\b(terminal|line|site|dish|dishe)s?\b(?!.*\bpools?\b)/i

/** Whether a question is only about used or remaining data. */
export const asksForUsage = (question: string) => {
  const words = [...contentWords(question)]
  const about = words.filter((word) => USAGE_WORDS.has(word))
  // The least data used is not the least data left.
  const isKnown = (word: string) =>
    USAGE_WORDS.has(word) || AROUND.has(word) || (word === 'least' && LEFT.some(isAsked))
  const isAsked = (word: string) => words.includes(word)
  // A single word such as 'data' may be about anything.
  return about.length >= 2 && words.every(isKnown)
}

interface Pool {
  name: string
  used_gb: number
  limit_gb: number
  cycle_end: string
}

/** The pools visible to the transaction. */
const listPools = async (db: Db, tenantId: string) => {
  const { rows } = await sql<Pool>`
    select name, used_gb, usage_limit_gb + top_up_gb as limit_gb, cycle_end::text as cycle_end
    from pools where tenant_id = ${tenantId} order by used_gb / (usage_limit_gb + top_up_gb) desc, natural_key(name)
    limit ${POOLS_MAX}`.execute(db)
  return rows
}

const describeAmount = (name: string, usedGb: number, limitGb: number, cycleEnd: string | null) => {
  const used = `has used ${formatShort(usedGb)} of ${formatGb(limitGb)}`
  // Of the rounded usage, so that the figures add up.
  const leftGb = limitGb - Math.round(usedGb * 10) / 10
  const until = cycleEnd ? ` until ${formatDay(cycleEnd)}` : ''
  const left = leftGb > 0 ? `${formatGb(leftGb)} are left${until}` : `it is ${formatGb(-leftGb)} over its limit${until}`
  return `${name} ${used}; ${left}.`
}

const describePool = ({ name, used_gb, limit_gb, cycle_end }: Pool) =>
  describeAmount(`The pool ${name}`, used_gb, limit_gb, cycle_end)

export const describeLine = (terminal: VisibleTerminal) => {
  const { used_gb, limit_gb, cycle_end, pool_name, pool_used_gb, pool_limit_gb } = terminal
  const name = getName(terminal)
  const own =
    used_gb === null
      ? `The vendor has not reported the data of ${name} yet.`
      : limit_gb
        ? describeAmount(name, used_gb, limit_gb, cycle_end)
        : `${name} has used ${formatGb(used_gb)} and has no limit.`
  if (pool_name === null || pool_limit_gb === null) return own
  return `${own} It shares ${describeAmount(`the pool ${pool_name}, which`, pool_used_gb ?? 0, pool_limit_gb, null)}`
}

const reply = (answer: string, listed: VisibleTerminal[], canManage: boolean): AssistantAnswer => ({
  answer,
  source: 'usage',
  terminals: listed.map(toAssistantTerminal),
  links: canManage
    ? [{ text: 'Open the plan manager', page: '/plan-manager' }]
    : [{ text: 'Open the terminal table', page: '/terminaltable' }],
  offersTicket: false,
})

interface UsageQuestion {
  question: string
  named: readonly VisibleTerminal[]
  /** Users without it see only the pools of their own lines. */
  canManagePools: boolean
}

/** Used and remaining data: of the named lines or pools, otherwise of the fullest. */
export const describeUsage = async (db: Db, tenantId: string, { question, named, canManagePools }: UsageQuestion) => {
  if (named.length > 0) {
    const listed = named.slice(0, LISTED_MAX)
    return reply(listed.map(describeLine).join('\n'), listed, canManagePools)
  }
  const pools = canManagePools && !ASKS_FOR_LINES.test(question) ? await listPools(db, tenantId) : []
  const { found } = findNamed(pools, ({ name }) => [name], question)
  const shown = (found.length > 0 ? found : pools).slice(0, LISTED_MAX)
  if (shown.length > 0) return reply(shown.map(describePool).join('\n'), [], canManagePools)
  const isLimited = sql`usage.usage_limit_gb > 0`
  const fullestFirst = sql`usage.priority_gb / usage.usage_limit_gb desc nulls last`
  const listed = await listVisibleTerminals(db, tenantId, isLimited, LISTED_MAX, fullestFirst)
  if (listed.length === 0) return reply('The vendor has not reported any data of your lines yet.', [], canManagePools)
  return reply(
    [`These lines have the least data left:`, ...listed.map(describeLine)].join('\n'),
    listed,
    canManagePools,
  )
}

/** The question without the names of the pools in it. */
export const withoutPoolNames = async (db: Db, tenantId: string, question: string) =>
  findNamed(await listPools(db, tenantId), ({ name }) => [name], question).rest
