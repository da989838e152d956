import type * as z from 'zod/mini'
import { StarlinkError } from './errors.ts'
import { Page } from './wire.ts'

export type Listing<T> = {
  items: T[]
  /** False if ids were still missing after the last pass. Then a missing item may still exist. */
  complete: boolean
}

export type Reading<T> = {
  /** Where an interrupted read resumes. */
  fromPage?: number
  /** Receives the items of each page as it arrives, deduplicated by id within the page. */
  onPage: (items: T[], progress: { nextPage: number; totalCount: number }) => Promise<void>
}

export type ReadResult = {
  ids: Set<string>
  /** False if ids were still missing after the last pass, or the first pages were not read. */
  complete: boolean
  totalCount: number
}

type Options<S extends z.ZodMiniType> = {
  name: string
  fetchPage: (page: number) => Promise<unknown>
  shape: S
  getId: (item: z.infer<S>) => string
  onWarning: (message: string) => void
}

const MAX_PASSES = 3
// A vendor with endless pages repeats itself. An account is never truncated because of its size.
const MAX_PAGES_WITHOUT_NEWS = 100

/** Reads every page and returns all items. For lists that fit into memory. */
export const listAll = async <S extends z.ZodMiniType>(options: Options<S>): Promise<Listing<z.infer<S>>> => {
  const items = new Map<string, z.infer<S>>()
  const { complete } = await readPages(options, {
    onPage: async (page) => {
      for (const item of page) items.set(options.getId(item), item)
    },
  })
  return { items: [...items.values()], complete }
}

/**
 * Reads every page and reconciles by id. The vendor's order can change between pages, so an item can be missed while
 * another appears twice. If ids repeat or the count differs, the pages are reread.
 */
export const readPages = async <S extends z.ZodMiniType>(
  options: Options<S>,
  { fromPage = 0, onPage }: Reading<z.infer<S>>,
): Promise<ReadResult> => {
  const ids = new Set<string>()
  let totalCount = 0
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    const read = await readOnce(options, { fromPage, onPage }, ids)
    totalCount = read.totalCount
    // Another process read the previous pages, so their ids are not known.
    if (fromPage > 0) return { ids, complete: false, totalCount }
    const missing = totalCount - ids.size - read.unreadable
    if (missing === 0 ? pass > 1 || !read.repeated : pass > 1 && missing < 0)
      return { ids, complete: read.unreadable === 0, totalCount }
    options.onWarning(`${options.name}: paging was unstable, ${Math.max(missing, 0)} of ${totalCount} missing`)
  }
  return { ids, complete: false, totalCount }
}

const readOnce = async <S extends z.ZodMiniType>(
  { name, fetchPage, shape, getId, onWarning }: Options<S>,
  { fromPage = 0, onPage }: Reading<z.infer<S>>,
  ids: Set<string>,
) => {
  const seen = new Set<string>()
  const malformed = (reason: string) =>
    new StarlinkError(reason, { failure: 'malformed', fate: 'unknown', status: 200, call: name })
  let rows = 0
  let unreadable = 0
  let pagesWithoutNews = 0
  let following = fetchPage(fromPage)
  for (let index = fromPage; ; index++) {
    const page = Page.safeParse(await following)
    if (!page.success) throw malformed('returned no valid page')
    const { results, totalCount, isLastPage } = page.data
    const items = new Map<string, z.infer<S>>()
    const seenBefore = seen.size
    for (const result of results) {
      const item = shape.safeParse(result)
      if (!item.success) {
        unreadable++
        onWarning(`${name}: an item on page ${index} could not be read (${formatFirstIssue(item.error)})`)
        continue
      }
      const id = getId(item.data)
      rows++
      seen.add(id)
      ids.add(id)
      items.set(id, item.data)
    }
    // The following page is requested while this one is stored.
    if (!isLastPage) {
      following = fetchPage(index + 1)
      // Its failure is reported when it is awaited, unless storing fails before.
      following.catch(() => {})
    }
    await onPage([...items.values()], { nextPage: index + 1, totalCount })
    if (isLastPage) return { repeated: rows !== seen.size, unreadable, totalCount }
    pagesWithoutNews = seen.size > seenBefore ? 0 : pagesWithoutNews + 1
    if (pagesWithoutNews >= MAX_PAGES_WITHOUT_NEWS)
      throw malformed(`returned ${MAX_PAGES_WITHOUT_NEWS} pages without a new item and no last page`)
  }
}

const formatFirstIssue = (error: z.core.$ZodError) => {
  const issue = error.issues[0]
  return issue ? `${issue.path.join('.')}: ${issue.message}` : 'unknown fault'
}
