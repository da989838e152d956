import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listPagerItems, paginate } from './paginate.ts'

const place = fc
  .integer({ min: 1, max: 5000 })
  .chain((pageCount) => fc.tuple(fc.constant(pageCount), fc.integer({ min: 1, max: pageCount })))

describe('the pager', () => {
  it('shows every page up to nine', () => {
    expect(listPagerItems(9, 5)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(listPagerItems(1, 1)).toEqual([1])
  })

  it.each([
    [10, 1, [1, 2, null, 9, 10]],
    [10, 5, [1, 2, null, 4, 5, 6, null, 9, 10]],
    [20, 3, [1, 2, 3, 4, null, 19, 20]],
    [20, 20, [1, 2, null, 19, 20]],
    [20, 18, [1, 2, null, 17, 18, 19, 20]],
  ])('shows the ends and the neighbors, of %i pages at page %i', (pageCount, current, items) => {
    expect(listPagerItems(pageCount, current)).toEqual(items)
  })

  it('always offers the first two, the last two, the current page and its neighbors, in order and once', () => {
    fc.assert(
      fc.property(place, ([pageCount, current]) => {
        const items = listPagerItems(pageCount, current)
        const pages = items.filter((item) => item !== null)
        expect(pages).toEqual([...new Set(pages)].sort((a, b) => a - b))
        for (const page of [1, 2, current - 1, current, current + 1, pageCount - 1, pageCount])
          if (page >= 1 && page <= pageCount) expect(pages).toContain(page)
        expect(items.length).toBeLessThanOrEqual(9)
      }),
    )
  })

  it('marks each gap, and only gaps', () => {
    fc.assert(
      fc.property(place, ([pageCount, current]) => {
        const items = listPagerItems(pageCount, current)
        for (const [index, item] of items.entries()) {
          const before = items[index - 1]
          if (item === null) expect((items[index + 1] as number) - (before as number)).toBeGreaterThan(1)
          else if (typeof before === 'number') expect(item - before).toBe(1)
        }
      }),
    )
  })
})

it('puts every row on one page, and shows the last page for one beyond the end', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 30 }), fc.integer(), (rows, perPage, wanted) => {
      const { pageCount, page } = paginate(rows, perPage, wanted)
      const all = Array.from({ length: pageCount }, (_, index) => paginate(rows, perPage, index + 1).rows).flat()
      expect(all).toEqual(rows)
      expect(page).toBe(Math.min(Math.max(1, wanted), pageCount))
    }),
  )
})
