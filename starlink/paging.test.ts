import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { listAll } from './paging.ts'

const listPage = (results: unknown[]) =>
  listAll({
    name: 'GET /items',
    fetchPage: async () => ({ pageIndex: 0, limit: 50, isLastPage: true, results, totalCount: results.length }),
    shape: z.object({ id: z.string() }),
    getId: ({ id }) => id,
    onWarning: () => {},
  })

test('a listing with an unreadable item is incomplete, and its other items are returned', async () => {
  expect(await listPage([{ id: 'a' }, { id: 7 }, { id: 'b' }])).toEqual({
    items: [{ id: 'a' }, { id: 'b' }],
    complete: false,
  })
})

test('a listing of readable items is complete', async () => {
  expect(await listPage([{ id: 'a' }, { id: 'b' }])).toMatchObject({ complete: true })
})
