import type { Item, View } from './fragments.ts'
import {
  createPageWriter,
  type Line,
  measureLargest,
  type Page,
  type PageWriter,
  readItem,
  rewritePage,
  writePage,
} from './text-page.ts'

const ITEMS_PER_PAGE = 256

/** The lines of one fleet, stored as JSON text. */
export const createLineStore = () => {
  const pagesByLineId = new Map<number, Page>()
  const pages = new Set<Page>()
  /** The page that receives new lines, and its writer. */
  let last: Page | undefined
  let writer: PageWriter | undefined

  const get = (lineId: number): Line | undefined => {
    const page = pagesByLineId.get(lineId)
    if (!page) return undefined
    const first = page.lineIds.indexOf(lineId)
    const items: Item[] = []
    for (let at = first; page.lineIds[at] === lineId; at++) items.push(readItem(page, at, at - first + 1))
    return { group: page.groups[first] as string, items }
  }

  const close = () => {
    if (last && writer) Object.assign(last, writer.finish())
    writer = undefined
  }

  const append = (lineId: number, line: Line) => {
    if (!last || !pages.has(last) || (writer?.count() ?? last.lineIds.length) >= ITEMS_PER_PAGE) {
      close()
      last = createPageWriter().finish()
      pages.add(last)
    }
    writer ??= createPageWriter(last)
    writer.add(lineId, line)
    pagesByLineId.set(lineId, last)
  }

  return {
    get,
    lineIds: () => pagesByLineId.keys(),
    count: () => pagesByLineId.size,

    /** Adds or replaces lines; undefined removes a line. */
    apply: (changes: ReadonlyMap<number, Line | undefined>) => {
      const touched = new Set<Page>()
      const added: [number, Line][] = []
      for (const [id, line] of changes) {
        const page = pagesByLineId.get(id)
        if (page) touched.add(page)
        else if (line) added.push([id, line])
        if (!line) pagesByLineId.delete(id)
      }
      for (const page of touched) {
        Object.assign(page, rewritePage(page, changes))
        if (page.lineIds.length === 0) pages.delete(page)
      }
      for (const [id, line] of added) append(id, line)
      if (added.length > 0) close()
    },

    /** The items visible to a view as `{…},{…}`, between the given prefix and suffix. */
    format: (view: View, before: string, after: string): Buffer => {
      const most = sum(pages, (page) => measureLargest(page, view))
      const target = Buffer.allocUnsafe(before.length + 1 + most + after.length)
      const start = target.write(before, 'latin1')
      let end = start + target.write('{', start, 'latin1')
      for (const page of pages) end = writePage(page, view, target, end)
      // Remove the separator after the last item, or the opening brace if there is no item.
      const isEmpty = end === start + 1
      const until = isEmpty ? start : end - ',{'.length
      return target.subarray(0, until + target.write(after, until, 'latin1'))
    },
  }
}

const sum = <T>(values: Iterable<T>, measure: (value: T) => number) => {
  let total = 0
  for (const value of values) total += measure(value)
  return total
}
