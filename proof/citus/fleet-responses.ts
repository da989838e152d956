import { availabilityKinds } from '#contract/availability.ts'
import { calendarPeriods } from '#contract/calendar-period.ts'
import { periodsMin } from '#contract/period.ts'
import { lines, type SeededServer } from './seed.ts'

const DAY_MS = 86_400_000

/** How long ago, in days: one time for each table that values of the past are read from. */
const AGES = [0.04, 1, 2.5, 20, 45, 63]

export interface Shown {
  nowMs: number
  historyDays: number
  /** When incidents are judged. Times from then until now are those at which a server wrote something. */
  judgedAt: Date
}

const listTimes = ({ nowMs, historyDays }: Shown) =>
  AGES.filter((days) => days < historyDays).map((days) => new Date(nowMs - days * DAY_MS).toISOString())

const listPages = (shown: Shown): string[] => {
  const times = listTimes(shown)
  const day = (days: number) => new Date(shown.nowMs - days * DAY_MS).toISOString().slice(0, 10)
  const month = day(0).slice(0, 7)
  return [
    'terminals/',
    'terminals/details/',
    'fleet-metrics/',
    'availability/month/',
    'incidents/?show=all&limit=200',
    'incidents/?widespread=true&show=all',
    'events/?limit=200',
    'events/?limit=200&kinds=status,incident',
    'maintenance-windows/',
    'reports/',
    'executive-summary/',
    'executive-months/',
    `executive-months/?month=${month}&group=Dishboard`,
    'account-group-plans/Dishboard/',
    ...times.flatMap((at) => [
      `terminals/?at=${at}`,
      `terminals/details/?at=${at}`,
      `incidents/?at=${at}`,
      `events/?limit=200&at=${at}`,
      ...lines.flatMap(({ name }) => periodsMin.map((period) => `terminals/${name}/${period}/?at=${at}`)),
    ]),
    ...calendarPeriods.flatMap((period) => {
      const query = `period=${period}${period === 'custom' ? `&day=${day(2)}&lastDay=${day(0)}` : ''}`
      return [
        `availability/?${query}`,
        `availability/csv/?${query}`,
        ...availabilityKinds.map(
          (kind) => `availability/spans/?${query}&kind=${encodeURIComponent(kind)}&order=longest`,
        ),
        ...lines.map(({ name }) => `availability/terminals/${name}/?${query}`),
      ]
    }),
    ...lines.flatMap(({ name }) => [`incidents/?show=all&terminal=${name}`, `events/?terminal=${name}`]),
  ]
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g
/** It contains the time of the database at which the event was recorded. */
const EVENT_ID = /^\d{13,}-\d+$/
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const RANDOM = 'a random id'
/** Dated by the database's clock, or counted within a process. */
const OWN_FIELDS = new Set(['notedAt', 'factsSince', 'revision', 'next'])

/** Without what differs from server to server. Rows of the same moment are in the order of their random ids. */
const normalize = (value: unknown, judgedAt: Date): unknown => {
  if (typeof value === 'string' && TIME.test(value)) {
    const isOwn = new Date(value) > judgedAt && new Date(value) <= new Date()
    return isOwn ? 'a time of the server' : value
  }
  if (typeof value === 'string') return value.replace(UUID, RANDOM).replace(EVENT_ID, RANDOM)
  if (Array.isArray(value)) {
    const texts = value.map((each) => JSON.stringify(normalize(each, judgedAt)))
    return texts.some((text) => text.includes(RANDOM)) ? texts.sort() : texts
  }
  if (value === null || typeof value !== 'object') return value
  const fields = Object.entries(value).filter(([name]) => !OWN_FIELDS.has(name))
  return Object.fromEntries(fields.map(([name, field]) => [name, normalize(field, judgedAt)]))
}

const listIds = (body: object, list: string) =>
  ((body as Record<string, { id: string }[] | undefined>)[list] ?? []).map(({ id }) => id)

/** Every response about fleets that depends on samples, tiers or status, for each caller, and the public pages. */
export const readFleetResponses = async (server: SeededServer, shown: Shown) => {
  const responses = new Map<string, string>()
  const toText = ({ status, body }: { status: number; body: unknown }) =>
    `${status} ${JSON.stringify(normalize(body, shown.judgedAt))}`
  for (const caller of server.callers) {
    const read = (path: string) => server.as(caller, 'GET', `/api/${path}`)
    for (const path of listPages(shown)) responses.set(`${path}, as ${caller}`, toText(await read(path)))
    for (const [list, query] of [
      ['incidents', '?show=all&limit=20'],
      ['reports', ''],
    ] as const) {
      const { body } = await read(`${list}/${query}`)
      const texts: string[] = []
      for (const id of listIds(body, list)) texts.push(toText(await read(`${list}/${id}/`)))
      for (const [place, text] of texts.sort().entries()) responses.set(`${list} ${place}, as ${caller}`, text)
    }
  }
  for (const tenant of ['a', 'b'])
    responses.set(`status page of ${tenant}`, toText(await server.call(tenant, 'GET', '/status')))
  return responses
}
