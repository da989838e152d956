import * as z from 'zod/mini'
import { Report } from '#contract/reports.ts'

const time = { upS: 600_000, downS: 3_600, plannedS: 0, notObservedS: 1_200 }
const outages = { outages: 2, longestS: 2_400, meanRepairS: 1_800, meanBetweenS: 300_000 }
const availability = { ...time, ...outages, percent: 99.4, target: 99.9, isBreached: true }
const forecast = { known: false, reason: 'too few days', days: 3, days_needed: 14 } as const

/** The figures of a week in which every name is the same word. */
export const buildFigures = (group: string | null, word: string, gb = 12): Report => {
  const startedAt = new Date('2026-11-03T10:00:00Z')
  return {
    group,
    period: 'week',
    firstDay: '2026-11-02',
    lastDay: '2026-11-08',
    timeZone: 'UTC',
    from: new Date('2026-11-02T00:00:00Z'),
    until: new Date('2026-11-09T00:00:00Z'),
    heldSince: new Date('2026-01-01T00:00:00Z'),
    madeAt: new Date('2026-11-09T07:00:00Z'),
    availability: { ...availability, previousPercent: 99.9 },
    groups: group === null ? [{ group: word, terminals: 1, ...availability }] : [],
    groupCount: group === null ? 1 : 0,
    terminals: [{ nickname: word, name: word, kit: word, group: word, ...availability, usedGb: gb }],
    terminalCount: 1,
    incidents: [{ title: word, explanation: word, startedAt, endedAt: null, terminals: 1 }],
    incidentCount: 1,
    usage: {
      usedGb: gb,
      previousGb: gb,
      days: [{ day: '2026-11-02', gb }],
      lines: [{ name: word, group: word, usedGb: gb, cycleUsedGb: gb, limitGb: gb, forecast }],
    },
    pools: [{ name: `${word} pool`, usedGb: gb, limitGb: gb, cycleEnd: '2026-12-01', forecast }],
  }
}

/** As stored. */
export const encodeFigures = (report: Report) => JSON.stringify(z.encode(Report, report))
