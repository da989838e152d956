import { expect, test } from 'vitest'
import type { Incident } from '#contract/incidents.ts'
import { exampleIncident } from '#contract/testing/incident.ts'
import type { NewsKind } from './incident-news.ts'
import { listIncidentParts } from './incident-parts.ts'

const T = Date.UTC(2026, 10, 15, 12)
const MINUTE_MS = 60_000

const ended: Incident = { ...exampleIncident, cause: 'restart', endedAt: new Date(T + 4 * MINUTE_MS) }
const line = { id: 1, nickname: 'nome-1', custom_name: 'Nome School', city: 'Nome', state: 'AK' }

const write = (kind: NewsKind, incident: Incident) => {
  const change = {
    ...({ terminalId: 1, lineId: 1, after: kind === 'ending' ? 'online' : 'offline', incidentId: 'one' } as const),
    sinceMs: T,
    lostAtMs: T,
    isLate: false,
    isUnstable: false,
  }
  const notice = {
    atMs: T,
    changes: [change],
    incidents: [{ id: 'one', kind, terminals: 1 }],
    usage: [],
    isLastOfDay: false,
  }
  const [part] = listIncidentParts(notice, new Map([['one', incident]]), new Map([[1, line]]), {
    timeZone: 'UTC',
    units: 'metric',
  })
  return `${part?.headline}. ${part?.title}. ${part?.reasons}`
}

test.each<Partial<Incident>>([{}, { cause: 'power', confidence: 0.8 }])(
  'a message that a dish is offline does not say that it started again, whenever it is written: %o',
  (verdict) => {
    const incident = { ...ended, ...verdict }
    expect(write('opening', incident)).toMatch(/^Nome School is offline since/)
    expect(write('opening', incident)).not.toMatch(/started again|Restart/)
    expect(write('ending', incident)).toMatch(/The dish started again|it had just started/)
  },
)
