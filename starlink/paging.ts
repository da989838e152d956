import type * as z from 'zod/mini'
import { StarlinkError } from './errors.ts'
import { Page } from './wire.ts'

export type Listing<T> = {
  items: T[]
  /** False if ids were still missing after the last pass. Then a missing item may still exist. */
  complete: boolean
}

type Options<S extends z.ZodMiniType> = {
  name: string
  fetchPage: (page: number) => Promise<unknown>
  shape: S
  getId: (item: z.infer<S>) => string
  onWarning: (message: string) => void
}

const MAX_PAGES = 5_000
const MAX_PASSES = 3

/**
 * Reads every page and reconciles by id. The vendor's order can change between pages, so an item can be missed while
 * another appears twice. If ids repeat or the count differs, the pages are reread and merged.
 */
export const listAll = async <S extends z.ZodMiniType>(options: Options<S>): Promise<Listing<z.infer<S>>> => {
  const items = new Map<string, z.infer<S>>()
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    const { repeated, unreadable, totalCount } = await readPages(options, items)
    const missing = totalCount - items.size - unreadable
    if (!repeated && missing === 0) return { items: [...items.values()], complete: unreadable === 0 }
    if (pass > 1 && missing <= 0) return { items: [...items.values()], complete: unreadable === 0 }
    options.onWarning(`${options.name}: paging was unstable, ${Math.max(missing, 0)} of ${totalCount} missing`)
  }
  return { items: [...items.values()], complete: false }
}

const readPages = async <S extends z.ZodMiniType>(options: Options<S>, items: Map<string, z.infer<S>>) => {
  const { name, fetchPage, shape, getId, onWarning } = options
  const seen = new Set<string>()
  let rows = 0
  let unreadable = 0
  let totalCount = 0
  for (let index = 0; index < MAX_PAGES; index++) {
    const page = Page.safeParse(await fetchPage(index))
    if (!page.success) {
      throw new StarlinkError('returned no valid page', {
        failure: 'malformed',
        fate: 'unknown',
        status: 200,
        call: name,
      })
    }
    totalCount = page.data.totalCount
    for (const result of page.data.results) {
      const item = shape.safeParse(result)
      if (!item.success) {
        unreadable++
        onWarning(`${name}: an item on page ${index} could not be read (${formatFirstIssue(item.error)})`)
        continue
      }
      const id = getId(item.data)
      rows++
      seen.add(id)
      items.set(id, item.data)
    }
    if (page.data.isLastPage) return { repeated: rows !== seen.size, unreadable, totalCount }
  }
  onWarning(`${name}: stopped after ${MAX_PAGES} pages`)
  return { repeated: rows !== seen.size, unreadable, totalCount: Number.POSITIVE_INFINITY }
}

const formatFirstIssue = (error: z.core.$ZodError) => {
  const issue = error.issues[0]
  return issue ? `${issue.path.join('.')}: ${issue.message}` : 'unknown fault'
}
