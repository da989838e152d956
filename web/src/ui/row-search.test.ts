import { expect, it } from 'vitest'
import { createRowSearch } from './row-search.ts'

interface Place {
  name: string
  size: number | null
  tags: string[]
}

const rows: Place[] = [
  { name: 'Utqiaġvik School', size: 12, tags: ['north', 'coast'] },
  { name: 'Nome', size: null, tags: [] },
]
const columns = [{ search: ({ name }: Place) => name }, { search: ({ size }: Place) => size }, {}]
const names = (searched: Parameters<typeof createRowSearch<Place>>[0], text: string) =>
  createRowSearch(searched)
    .find(rows, text)
    .map(({ name }) => name)

it('finds a part of any value in any case', () => {
  expect(names(columns, 'utqiaĠVIK')).toEqual(['Utqiaġvik School'])
  expect(names(columns, '12')).toEqual(['Utqiaġvik School'])
  expect(names(columns, 'null')).toEqual([])
  expect(names(columns, '')).toHaveLength(2)
})

it('matches no text that runs from one value into the next', () => {
  expect(names(columns, 'school12')).toEqual([])
  expect(names([{ search: ({ tags }: Place) => tags }], 'northcoast')).toEqual([])
})

it('searches a column that is added', () => {
  expect(names(columns, 'coast')).toEqual([])
  expect(names([...columns, { search: ({ tags }: Place) => tags }], 'coast')).toEqual(['Utqiaġvik School'])
})

it('builds the text of a row once', () => {
  let built = 0
  const search = createRowSearch<Place>([{ search: ({ name }) => [name, String(built++)] }])
  for (const text of ['n', 'no', 'nom', 'u', '']) search.find(rows, text)
  search.find([...rows], 'school')
  expect(built).toBe(rows.length)
})
