import type { Db } from './database.ts'

const tokens = new WeakMap<Db, { name: string }>()

/** Lets what a transaction records say that it was an API token, and which. */
export const setToken = (db: Db, token: { name: string }) => tokens.set(db, token)

export const findTokenName = (db: Db) => tokens.get(db)?.name
