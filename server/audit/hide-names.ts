import type { Db } from '../platform/database/database.ts'
import type { Json, JsonObject } from '../platform/database/schema.ts'
import {
  escapeText,
  listPseudonyms,
  mapNames,
  type NamedParts,
  revealNames,
  type SubjectKey,
  toPseudonym,
} from './pseudonyms.ts'
import { ensureSubjects, loadKeys } from './subjects.ts'

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

const isEmail = (value: unknown): value is string => typeof value === 'string' && EMAIL.test(value)

/** Fields of the details that contain personal data of a user. */
const PERSONAL_FIELDS = new Set(['customerName', 'company', 'phone_number', 'message'])
/** The same, in an object that also has the address. */
const NAME_FIELDS = new Set([...PERSONAL_FIELDS, 'name'])

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Passes each text in the details to `hide`, with the address of the person it is about; undefined if it is about no one. */
const mapDetails = (
  value: Json,
  owner: string | undefined,
  hide: (text: string, owner: string | undefined) => string,
): Json => {
  if (typeof value === 'string') return hide(value, undefined)
  if (Array.isArray(value)) return value.map((item) => mapDetails(item, owner, hide))
  if (!isObject(value)) return value
  const own = isEmail(value.email) ? value.email : owner
  const fields = isEmail(value.email) ? NAME_FIELDS : PERSONAL_FIELDS
  const hideField = ([name, item]: [string, Json | undefined]) => {
    if (typeof item === 'string' && fields.has(name)) return [name, hide(item, own)]
    return [name, item === undefined ? item : mapDetails(item, own, hide)]
  }
  return Object.fromEntries(Object.entries(value).map(hideField)) as JsonObject
}

const listEmails = (entry: NamedParts) => {
  const emails: string[] = []
  mapNames(entry, (text) => {
    if (isEmail(text)) emails.push(text)
    return text
  })
  return emails
}

/**
 * Replaces every address in an entry, and the personal data in its details, with pseudonyms of their owners. Data without
 * an address belongs to the person that the entry concerns, or to the performer.
 */
export const hideNames = async <Entry extends NamedParts>(db: Db, tenantId: string, entry: Entry): Promise<Entry> => {
  const emails = listEmails(entry)
  const subjects = emails.length > 0 ? await ensureSubjects(db, tenantId, emails) : new Map<string, SubjectKey>()
  const hide = (text: string, owner: string | undefined) => {
    const subject = subjects.get((isEmail(text) ? text : (owner ?? '')).toLowerCase())
    return subject ? toPseudonym(subject, text) : escapeText(text)
  }
  const owner = [entry.performee, entry.performer].find(isEmail)
  return {
    ...entry,
    performer: hide(entry.performer, undefined),
    performee: hide(entry.performee, undefined),
    details: mapDetails(entry.details, owner, hide),
  }
}

/** Entries with names, as administrators read them. */
export const showNames = async <Entry extends NamedParts>(db: Db, tenantId: string, entries: Entry[]) => {
  const ids = entries.flatMap((entry) => listPseudonyms(entry).map(({ id }) => id))
  const keys = await loadKeys(db, tenantId, ids)
  return entries.map((entry) => revealNames(entry, keys))
}
