import UFuzzy from '@leeoniya/ufuzzy'

// Tolerates one wrong, missing, extra or swapped letter per word.
const fuzzy = new UFuzzy({ unicode: true, intraMode: 1 })

// More matches than this are not ranked, because ranking would delay typing.
const maxRanked = 1_000

// Accents are optional: utqiagvik finds Utqiaġvik.
const toPlain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '')

export interface FuzzyIndex<Item> {
  /** The best matches first, at most `limit`; and how many there are. */
  find: (text: string, limit: number) => { items: Item[]; count: number }
}

/** A search that tolerates typos. The texts of all items are built once. */
export function createFuzzyIndex<Item>(items: readonly Item[], getText: (item: Item) => string): FuzzyIndex<Item> {
  const texts = items.map((item) => toPlain(getText(item)))
  return {
    find: (text, limit) => {
      const [found, info, order] = fuzzy.search(texts, toPlain(text), 1, maxRanked)
      if (!found) return { items: [], count: 0 }
      const best = order ? order.slice(0, limit).map((at) => info.idx[at] as number) : found.slice(0, limit)
      return { items: best.map((at) => items[at] as Item), count: found.length }
    },
  }
}
