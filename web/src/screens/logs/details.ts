import { formatExactTime } from '#contract/format/times.ts'
import { formatGb } from '#contract/format/units.ts'

export interface Change {
  name: string
  before: string
  after: string
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)

const unitGb = /_?gb$/i

/** 'Has pass phrase' for hasPassPhrase, 'Usage limit' for usage_limit_GB: the unit stands with the value. */
const toWords = (name: string) => {
  const words = name
    .replace(unitGb, '')
    .replaceAll('_', ' ')
    .replace(
      /([a-z])([A-Z])([a-z])/g,
      (_, end: string, start: string, next: string) => `${end} ${start.toLowerCase()}${next}`,
    )
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

const shown = (value: unknown, name = ''): string => {
  if (typeof value === 'number' && unitGb.test(name)) return formatGb(value)
  if (value === undefined || value === null || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (isMoment(value)) return formatExactTime(new Date(value))
  if (Array.isArray(value)) return value.map((each) => shown(each)).join(', ')
  return isRecord(value) ? JSON.stringify(value) : String(value)
}

/** The details of an entry for display: changed fields with old and new values, then other facts. */
export function readDetails({ before, after, ...others }: Record<string, unknown>) {
  const [was, is] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  const changes: Change[] = names.map((name) => ({
    name: toWords(name),
    before: shown(was[name], name),
    after: shown(is[name], name),
  }))
  if (before !== undefined && !isRecord(before)) others.before = before
  if (after !== undefined && !isRecord(after)) others.after = after
  const facts = Object.entries(others).map(([name, value]) => ({ name: toWords(name), value: shown(value, name) }))
  return { changes, facts }
}
