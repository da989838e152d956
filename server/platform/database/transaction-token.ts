import type { Db } from './database.ts'

const tokens = new WeakMap<Db, { name: string }>()

/** Marks a transaction as sent by an API token, so that what it records can name the token. */
export const setToken = (db: Db, token: { name: string }) => tokens.set(db, token)

export const findTokenName = (db: Db) => tokens.get(db)?.name
