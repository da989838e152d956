import { expect, test } from 'vitest'
import type { FleetEvent } from '#contract/events.ts'
import { prependEvents } from './event-pages.ts'

const make = (number: number): FleetEvent => ({
  id: `${number}-${number}`,
  kind: 'status',
  at: new Date(number),
  notedAt: new Date(number),
  name: 'Nome School',
  text: 'is offline',
  status: 'offline',
  isTrouble: true,
  terminal: 'Nome',
  incident: null,
})
const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => make(from - index))
const ids = (pages: { events: FleetEvent[] }[]) => pages.flatMap(({ events }) => events.map(({ id }) => id))

test('newer events are at the top, each once', () => {
  const pages = [
    { events: range(20, 11), next: '11-11' },
    { events: range(10, 1), next: null },
  ]
  const after = prependEvents({ pages, pageParams: [undefined, '11-11'] }, range(22, 20))
  expect(ids(after.pages)).toEqual(ids([{ events: range(22, 1) }]))
  expect(after.pageParams).toEqual([undefined, '11-11'])
})

test('a list that is open for long does not grow, and continues where it was cut', () => {
  let data = { pages: [{ events: range(10, 1), next: null as string | null }], pageParams: [undefined] as undefined[] }
  for (let top = 10; top < 1000; top += 10) data = prependEvents(data, range(top + 10, top + 1)) as typeof data
  expect(ids(data.pages)).toEqual(ids([{ events: range(1000, 601) }]))
  expect(data.pages.at(-1)?.next).toBe('601-601')
})
