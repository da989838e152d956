import { type Incident, incidents } from '#contract/incidents.ts'
import { call } from '../../api.ts'

const PAGE = 200
const MAX_PAGES = 3

/**
 * The incidents since a time. In a large fleet they are too many: then those of single terminals are complete only since
 * `completeSinceMs`.
 */
export async function loadIncidents(sinceMs: number, signal: AbortSignal) {
  const found: Incident[] = []
  for (let page = 1; page <= MAX_PAGES; page++) {
    const before = found.at(-1)?.id
    const next = await call(incidents.list, { show: 'all', limit: PAGE, ...(before && { before }) }, signal)
    found.push(...next.incidents)
    const oldestMs = found.at(-1)?.startedAt.getTime() ?? sinceMs
    if (next.incidents.length < PAGE || oldestMs < sinceMs) return { incidents: found, completeSinceMs: sinceMs }
  }
  const completeSinceMs = found.at(-1)?.startedAt.getTime() ?? sinceMs
  const { incidents: widespread } = await call(incidents.list, { show: 'all', widespread: true, limit: PAGE }, signal)
  const older = widespread.filter(({ startedAt }) => startedAt.getTime() < completeSinceMs)
  return { incidents: [...found, ...older], completeSinceMs }
}
