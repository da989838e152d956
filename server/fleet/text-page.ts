import { type Item, NO_METADATA, NO_POOL, type View } from './fragments.ts'
import { formatItemId } from './list-item.ts'

/** A service line and its items, the first terminal first. */
export interface Line {
  group: string
  items: Item[]
}

/**
 * The JSON of a few hundred items in one buffer. Separate strings and objects would take 50 % more memory, and
 * the list of a large fleet is built by copying whole pages.
 */
export interface Page {
  /** One per item. */
  lineIds: number[]
  groups: string[]
  isPoolShared: boolean[]
  /** Each followed by the separator between two items. */
  lists: Buffer
  listEnds: Uint32Array
  /** The fragments more, pool and metadata of each item; empty if there is none. */
  rests: Buffer
  restEnds: Uint32Array
}

const BETWEEN = '},{'
const COMMA = Buffer.from(',')
const NOTHING = Buffer.alloc(0)
const NO_POOL_BYTES = Buffer.from(NO_POOL)
const NO_METADATA_BYTES = Buffer.from(NO_METADATA)

const listStart = ({ listEnds }: Page, at: number) => (at === 0 ? 0 : (listEnds[at - 1] as number))
const restStart = ({ restEnds }: Page, at: number) => (at === 0 ? 0 : (restEnds[at - 1] as number))

/** The item at an index of the page; `place` is its position on its line. */
export const readItem = (page: Page, at: number, place: number): Item => {
  const { lists, listEnds, rests, restEnds } = page
  const rest = (piece: number) => rests.toString('utf8', restStart(page, 3 * at + piece), restEnds[3 * at + piece])
  return {
    id: formatItemId({ line_id: page.lineIds[at] as number, place }),
    list: lists.toString('utf8', listStart(page, at), (listEnds[at] as number) - BETWEEN.length),
    more: rest(0),
    pool: rest(1) || NO_POOL,
    metadata: rest(2) || NO_METADATA,
    isPoolShared: page.isPoolShared[at] as boolean,
  }
}

export const rewritePage = (page: Page, changes: ReadonlyMap<number, Line | undefined>) => {
  const writer = createPageWriter()
  for (let at = 0; at < page.lineIds.length; at++) {
    const id = page.lineIds[at] as number
    if (!changes.has(id)) writer.take(page, at)
    else if (page.lineIds[at - 1] !== id) writer.add(id, changes.get(id))
  }
  return writer.finish()
}

/** Writes a page, starting empty or with a copy of another page. */
export const createPageWriter = (from?: Page) => {
  const ids: Pick<Page, 'lineIds' | 'groups' | 'isPoolShared'> = { lineIds: [], groups: [], isPoolShared: [] }
  const [lists, rests] = [createTape(), createTape()]
  const take = (page: Page, at: number) => {
    ids.lineIds.push(page.lineIds[at] as number)
    ids.groups.push(page.groups[at] as string)
    ids.isPoolShared.push(page.isPoolShared[at] as boolean)
    lists.copy(page.lists, listStart(page, at), page.listEnds[at] as number)
    for (let piece = 3 * at; piece < 3 * at + 3; piece++)
      rests.copy(page.rests, restStart(page, piece), page.restEnds[piece] as number)
  }
  for (let at = 0; at < (from?.lineIds.length ?? 0); at++) take(from as Page, at)
  return {
    take,
    add: (lineId: number, line: Line | undefined) => {
      for (const { list, more, pool, metadata, isPoolShared } of line?.items ?? []) {
        ids.lineIds.push(lineId)
        ids.groups.push((line as Line).group)
        ids.isPoolShared.push(isPoolShared)
        lists.write(`${list}${BETWEEN}`)
        rests.write(more)
        rests.write(pool === NO_POOL ? '' : pool)
        rests.write(metadata === NO_METADATA ? '' : metadata)
      }
    },
    count: () => ids.lineIds.length,
    finish: (): Page => {
      const [list, rest] = [lists.finish(), rests.finish()]
      return { ...trimmed(ids), lists: list.bytes, listEnds: list.ends, rests: rest.bytes, restEnds: rest.ends }
    },
  }
}

/** Copies the arrays, because arrays that grew hold spare capacity. */
const trimmed = ({ lineIds, groups, isPoolShared }: Pick<Page, 'lineIds' | 'groups' | 'isPoolShared'>) => ({
  lineIds: lineIds.slice(),
  groups: groups.slice(),
  isPoolShared: isPoolShared.slice(),
})

export type PageWriter = ReturnType<typeof createPageWriter>

/** A growing buffer of texts, with the end of each. */
const createTape = () => {
  let scratch = Buffer.allocUnsafeSlow(64 * 1024)
  const ends: number[] = []
  let end = 0
  const reserve = (bytes: number) => {
    if (end + bytes <= scratch.length) return
    const larger = Buffer.allocUnsafeSlow(2 * scratch.length + bytes)
    scratch.copy(larger, 0, 0, end)
    scratch = larger
  }
  return {
    write: (text: string) => {
      // A UTF-16 unit takes at most three bytes of UTF-8; a surrogate pair takes four.
      reserve(3 * text.length)
      if (text !== '') end += scratch.write(text, end)
      ends.push(end)
    },
    copy: (from: Buffer, start: number, until: number) => {
      reserve(until - start)
      end += from.copy(scratch, end, start, until)
      ends.push(end)
    },
    finish: () => {
      const bytes = Buffer.allocUnsafeSlow(end)
      scratch.copy(bytes, 0, 0, end)
      return { bytes, ends: Uint32Array.from(ends) }
    },
  }
}

/** The maximum size in bytes of a page for a view. */
export const measureLargest = ({ lists, rests, lineIds }: Page, { details }: View) =>
  lists.length + (details ? rests.length + lineIds.length * (NO_POOL.length + NO_METADATA.length + 3) : 0)

const writeLists = (page: Page, { group }: View, target: Buffer, from: number) => {
  if (group === undefined) return from + page.lists.copy(target, from)
  let end = from
  for (let at = 0; at < page.lineIds.length; at++)
    if (page.groups[at] === group) end += page.lists.copy(target, end, listStart(page, at), page.listEnds[at])
  return end
}

const writeDetails = (page: Page, { group, metadata }: View, target: Buffer, from: number) => {
  const { lists, listEnds, rests, restEnds } = page
  let end = from
  const writeRest = (piece: number, none: Buffer, isHidden: boolean) => {
    end += COMMA.copy(target, end)
    const [start, until] = [restStart(page, piece), restEnds[piece] as number]
    end += isHidden || start === until ? none.copy(target, end) : rests.copy(target, end, start, until)
  }
  for (let at = 0; at < page.lineIds.length; at++) {
    if (group !== undefined && page.groups[at] !== group) continue
    const listEnd = listEnds[at] as number
    end += lists.copy(target, end, listStart(page, at), listEnd - BETWEEN.length)
    writeRest(3 * at, NOTHING, false)
    // Only administrators see a pool that several customers share.
    writeRest(3 * at + 1, NO_POOL_BYTES, group !== undefined && (page.isPoolShared[at] as boolean))
    if (metadata) writeRest(3 * at + 2, NO_METADATA_BYTES, false)
    end += lists.copy(target, end, listEnd - BETWEEN.length, listEnd)
  }
  return end
}

/** Writes the items visible to a view, each followed by the separator. Returns the end position. */
export const writePage = (page: Page, view: View, target: Buffer, from: number) =>
  view.details ? writeDetails(page, view, target, from) : writeLists(page, view, target, from)
