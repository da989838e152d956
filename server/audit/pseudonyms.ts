import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import type { Json, JsonObject } from '../platform/database/schema.ts'

/** The parts of an entry that may contain names. */
export interface NamedParts {
  performer: string
  performee: string
  details: Json
}

export interface SubjectKey {
  id: number
  key: Buffer
}

const NONCE_BYTES = 12
const TAG_BYTES = 16
const PSEUDONYM = /^subject:(\d+):([\w-]+)$/
const ESCAPED = /^\\+subject:/

const derive = (key: Buffer, use: string) => createHmac('sha256', key).update(use).digest()

/**
 * Encrypts a text for the log. The same text of the same person always gives the same pseudonym, so that entries can be
 * found by it: the nonce is a keyed hash of the text.
 */
export const toPseudonym = ({ id, key }: SubjectKey, text: string) => {
  const nonce = createHmac('sha256', derive(key, 'nonce')).update(text).digest().subarray(0, NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', derive(key, 'encryption'), nonce)
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `subject:${id}:${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')}`
}

/** Undefined if the text is not a pseudonym. */
export const parsePseudonym = (text: string) => {
  const [, id, encoded = ''] = PSEUDONYM.exec(text) ?? []
  return id === undefined ? undefined : { id: Number(id), bytes: Buffer.from(encoded, 'base64url') }
}

/** Undefined if the pseudonym was not created with this key. */
export const decryptPseudonym = (key: Buffer, bytes: Buffer) => {
  const textAt = NONCE_BYTES + TAG_BYTES
  try {
    const decipher = createDecipheriv('aes-256-gcm', derive(key, 'encryption'), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    }).setAuthTag(bytes.subarray(NONCE_BYTES, textAt))
    return Buffer.concat([decipher.update(bytes.subarray(textAt)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** What users see instead of an erased person's names. */
export const nameErased = (id: number) => `Erased person ${id}`

export const parseErasedName = (text: string) => {
  const id = /^Erased person (\d{1,15})$/.exec(text)?.[1]
  return id === undefined ? undefined : Number(id)
}

/** Adds a backslash to a text that only looks like a pseudonym, such as the name of a pool. */
export const escapeText = (text: string) => (text.startsWith('subject:') || ESCAPED.test(text) ? `\\${text}` : text)

const mapStrings = (value: Json, map: (text: string) => string): Json => {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, item === undefined ? item : mapStrings(item, map)]),
  ) as JsonObject
}

export const mapNames = <Parts extends NamedParts>(parts: Parts, map: (text: string) => string): Parts => ({
  ...parts,
  performer: map(parts.performer),
  performee: map(parts.performee),
  details: mapStrings(parts.details, map),
})

/** The pseudonyms in an entry. */
export const listPseudonyms = (parts: NamedParts) => {
  const found: NonNullable<ReturnType<typeof parsePseudonym>>[] = []
  mapNames(parts, (text) => {
    const pseudonym = parsePseudonym(text)
    if (pseudonym) found.push(pseudonym)
    return text
  })
  return found
}

/** Replaces pseudonyms in an entry with names, as far as there are keys. */
export const revealNames = <Parts extends NamedParts>(parts: Parts, keys: ReadonlyMap<number, Buffer>): Parts =>
  mapNames(parts, (text) => {
    const pseudonym = parsePseudonym(text)
    if (!pseudonym) return ESCAPED.test(text) ? text.slice(1) : text
    const key = keys.get(pseudonym.id)
    if (!key) return nameErased(pseudonym.id)
    return decryptPseudonym(key, pseudonym.bytes) ?? `Unreadable name of person ${pseudonym.id}`
  })
