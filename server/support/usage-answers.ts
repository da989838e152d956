import { sql } from 'kysely'
import { describeForecast } from '#contract/forecast-words.ts'
import { formatCount, formatCounted, formatShort } from '#contract/format/numbers.ts'
import { formatDay } from '#contract/format/times.ts'
import { formatGb } from '#contract/format/units.ts'
import { describeNoRisk, listPoolsAtRisk } from '#contract/pools-at-risk.ts'
import type { AssistantAnswer } from '#contract/support.ts'
import { listPools as listForecasts } from '../plans/queries.ts'
import type { Db } from '../platform/database/database.ts'
import { findNamed } from './named-terminals.ts'
import { getName, listVisibleTerminals, toAssistantTerminal, type VisibleTerminal } from './visible-terminals.ts'
import { contentWords } from './words.ts'

const POOLS_MAX = 200
const LISTED_MAX = 5

export const USAGE_WORDS = contentWords(
  'data gb gigabytes usage used use left remaining remain allowance quota limit limits consumed consumption pool pools billing cycle full over exceed exceeded end ends run risk',
)
const AROUND = contentWords(
  'much many line lines site sites terminal month monthly still far share there plan plans total all each any until almost nearly next out before soon likely',
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

const ASKS_FOR_RISK = /\b(run|runs|running)\s+out\b|\brisk\b/i
const ASKS_FOR_OVER = /\b(over|exceed(s|ed)?|above)\b/i

/** Which of the pools may run out before their cycle ends. */
const describeRisk = async (db: Db, tenantId: string, asked: readonly Pool[]) => {
  const names = new Set(asked.map(({ name }) => name))
  const pools = (await listForecasts(db, tenantId)).filter(({ plan_name }) => names.has(plan_name))
  const risky = listPoolsAtRisk(pools)
  if (risky.length === 0) return describeNoRisk(pools)
  const lines = risky.slice(0, LISTED_MAX).map(({ name, forecast }) => `• ${name}: ${describeForecast(forecast).text}`)
  const head = `${formatCounted(risky.length, 'pool')} may run out before the cycle ends:`
  const more = risky.length - lines.length
  return [head, ...lines, ...(more > 0 ? [`and ${formatCount(more)} more.`] : [])].join('\n')
}

/** A single sentence stands as it is. */
const joinLines = (sentences: readonly string[]) =>
  sentences.length === 1 ? (sentences[0] as string) : sentences.map((each) => `• ${each}`).join('\n')

const isOver = ({ used_gb, limit_gb }: Pool) => used_gb > limit_gb

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
    return reply(joinLines(listed.map(describeLine)), listed, canManagePools)
  }
  const pools = canManagePools && !ASKS_FOR_LINES.test(question) ? await listPools(db, tenantId) : []
  const { found } = findNamed(pools, ({ name }) => [name], question)
  const asked = found.length > 0 ? found : pools
  if (asked.length > 0 && ASKS_FOR_RISK.test(question)) return reply(await describeRisk(db, tenantId, asked), [], true)
  const asksForOver = ASKS_FOR_OVER.test(question)
  const shown = (asksForOver && found.length === 0 ? pools.filter(isOver) : asked).slice(0, LISTED_MAX)
  if (shown.length === 0 && pools.length > 0) return reply('No pool is over its limit.', [], true)
  if (shown.length > 0) return reply(joinLines(shown.map(describePool)), [], canManagePools)
  const isLimited = asksForOver
    ? sql`usage.priority_gb > usage.usage_limit_gb and usage.usage_limit_gb > 0`
    : sql`usage.usage_limit_gb > 0`
  const fullestFirst = sql`usage.priority_gb / usage.usage_limit_gb desc nulls last`
  const listed = await listVisibleTerminals(db, tenantId, isLimited, LISTED_MAX, fullestFirst)
  if (listed.length === 0 && asksForOver) return reply('No line is known to be over its limit.', [], canManagePools)
  if (listed.length === 0) return reply('The vendor has not reported any data of your lines yet.', [], canManagePools)
  return reply(
    [
      asksForOver ? 'These lines are over their limits:' : 'These lines have the least data left:',
      ...listed.map(describeLine),
    ].join('\n'),
    listed,
    canManagePools,
  )
}

/** The question without the names of the pools in it. */
export const withoutPoolNames = async (db: Db, tenantId: string, question: string) =>
  findNamed(await listPools(db, tenantId), ({ name }) => [name], question).rest
