/** A page number, or null for an ellipsis. */
export type PagerItem = number | null

const allUpTo = 9

/** All pages up to nine; beyond that the first two, the last two, and the current one with its neighbors. */
export function listPagerItems(pageCount: number, current: number): PagerItem[] {
  if (pageCount <= allUpTo) return Array.from({ length: pageCount }, (_, index) => index + 1)
  const wanted = [1, 2, current - 1, current, current + 1, pageCount - 1, pageCount]
  const pages = [...new Set(wanted)].filter((page) => page >= 1 && page <= pageCount).sort((a, b) => a - b)
  return pages.flatMap((page, index) => (index > 0 && page - (pages[index - 1] as number) > 1 ? [null, page] : [page]))
}

export const countPages = (rows: number, perPage: number) => Math.max(1, Math.ceil(rows / perPage))

/** The rows of a page. A page beyond the end is the last page. */
export function paginate<Row>(rows: readonly Row[], perPage: number, wanted: number) {
  const pageCount = countPages(rows.length, perPage)
  const page = Math.min(Math.max(1, wanted), pageCount)
  return { page, pageCount, rows: rows.slice((page - 1) * perPage, page * perPage) }
}
