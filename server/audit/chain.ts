import { createHash } from 'node:crypto'
import type { Json } from '../platform/database/schema.ts'

/** One link: what is hashed, together with the previous link's hash. */
export interface Link {
  tenant_id: string
  seq: number
  at: Date
  performer: string
  action: string
  performee: string
  details: Json
}

/** The previous hash of the first entry. */
export const NO_HASH = Buffer.alloc(32)

/** Sorts keys, so that equal values always give the same text; jsonb does not preserve key order. */
const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const pairs = Object.entries(value).filter(([, item]) => item !== undefined)
  return `{${pairs
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`)
    .join(',')}}`
}

export const hashLink = (previous: Buffer, { tenant_id, seq, at, performer, action, performee, details }: Link) =>
  createHash('sha256')
    .update(previous)
    .update(canonicalJson({ tenant_id, seq, at: at.toISOString(), performer, action, performee, details }))
    .digest()
