import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { listAll, readPages } from './paging.ts'

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

const createPages = (sizes: readonly number[], { isEndless = false } = {}) => {
  const requested: number[] = []
  let nth = 0
  const pages = sizes.map((size) => Array.from({ length: size }, () => ({ id: `item ${nth++}` })))
  return {
    requested,
    options: {
      name: 'GET /items',
      fetchPage: async (page: number) => {
        requested.push(page)
        const results = pages[Math.min(page, pages.length - 1)]
        return {
          pageIndex: page,
          limit: 2,
          isLastPage: !isEndless && page >= pages.length - 1,
          results,
          totalCount: nth,
        }
      },
      shape: z.object({ id: z.string() }),
      getId: ({ id }: { id: string }) => id,
      onWarning: () => {},
    },
  }
}

test('hands over each page as it arrives, and resumes at the page of an interrupted read', async () => {
  const { options, requested } = createPages([2, 2, 1])
  const pages: number[][] = []
  const onPage = async (items: unknown[], { nextPage }: { nextPage: number }) =>
    void pages.push([items.length, nextPage])
  expect(await readPages(options, { onPage })).toMatchObject({ complete: true, totalCount: 5 })
  expect(pages).toEqual([
    [2, 1],
    [2, 2],
    [1, 3],
  ])
  requested.length = 0
  expect(await readPages(options, { fromPage: 1, onPage })).toMatchObject({ complete: false, totalCount: 5 })
  expect(requested).toEqual([1, 2])
})

test('requests the following page while a page is stored, and fails with the first failure of both', async () => {
  const { options, requested } = createPages([1, 1, 1])
  const seen: number[][] = []
  await readPages(options, { onPage: async () => void seen.push([...requested]) })
  expect(seen).toEqual([
    [0, 1],
    [0, 1, 2],
    [0, 1, 2],
  ])
  const fetchPage = async (page: number) => {
    if (page > 0) throw new Error('the vendor is away')
    return options.fetchPage(page)
  }
  const onPage = async () => {
    throw new Error('the database is away')
  }
  await expect(readPages({ ...options, fetchPage }, { onPage })).rejects.toThrow('the database is away')
  await expect(readPages({ ...options, fetchPage }, { onPage: async () => {} })).rejects.toThrow('the vendor is away')
})

test('an account of any size is read to its last page', async () => {
  const { options } = createPages(Array.from({ length: 6_000 }, () => 1))
  const { ids, complete } = await readPages(options, { onPage: async () => {} })
  expect([ids.size, complete]).toEqual([6_000, true])
})

test('pages that repeat themselves without end are an error, not a complete list', async () => {
  const { options } = createPages([2, 2], { isEndless: true })
  await expect(readPages(options, { onPage: async () => {} })).rejects.toThrow('without a new item')
})
