export interface Change {
  name: string
  before: string
  after: string
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const shown = (value: unknown): string => {
  if (value === undefined || value === null || value === '') return '-'
  if (Array.isArray(value)) return value.map(shown).join(', ')
  return isRecord(value) ? JSON.stringify(value) : String(value)
}

/** The details of an entry for display: changed fields with old and new values, then other facts. */
export function readDetails({ before, after, ...others }: Record<string, unknown>) {
  const [was, is] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  const changes: Change[] = names.map((name) => ({ name, before: shown(was[name]), after: shown(is[name]) }))
  if (before !== undefined && !isRecord(before)) others.before = before
  if (after !== undefined && !isRecord(after)) others.after = after
  const facts = Object.entries(others).map(([name, value]) => ({ name, value: shown(value) }))
  return { changes, facts }
}
