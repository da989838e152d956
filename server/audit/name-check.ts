import { decryptPseudonym, listPseudonyms, type NamedParts } from './pseudonyms.ts'

/** The action of the entry that records an erasure. */
export const ERASE_ACTION = 'user.erase'

interface Entry extends NamedParts {
  seq: number
  action: string
}

const readErased = ({ action, details }: Entry) => {
  const subjects = action === ERASE_ACTION ? (details as { subjects?: unknown }).subjects : undefined
  return Array.isArray(subjects) ? subjects.map(Number) : []
}

/** Checks that every name in the log is readable, or that an entry records the erasure of its person. */
export class NameCheck {
  readonly keys: Map<number, Buffer>
  readonly #missing = new Map<number, number>()
  readonly #erased = new Set<number>()

  constructor(keys = new Map<number, Buffer>()) {
    this.keys = keys
  }

  /** What is wrong with the names in the entry. */
  read(entry: Entry): string | undefined {
    for (const id of readErased(entry)) this.#erased.add(id)
    for (const { id, bytes } of listPseudonyms(entry)) {
      const key = this.keys.get(id)
      if (!key && !this.#missing.has(id)) this.#missing.set(id, entry.seq)
      if (key && decryptPseudonym(key, bytes) === undefined)
        return `A name in entry ${entry.seq} cannot be read: the key of person ${id} was changed.`
    }
    return undefined
  }

  /** The first entry with an unreadable name whose person was not erased. */
  findUnexplained() {
    for (const [id, seq] of this.#missing)
      if (!this.#erased.has(id))
        return {
          seq,
          problem: `A name in entry ${seq} cannot be read, and no entry says that person ${id} was erased.`,
        }
    return undefined
  }
}
