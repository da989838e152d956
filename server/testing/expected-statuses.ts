import { type Caller, type Statuses, visitors } from './callers.ts'
import type { SeededTenants } from './seeded-tenants.ts'

export interface Expected {
  /** The input: always about something of A's group north. */
  input?: (tenants: SeededTenants, caller: Caller) => object | Promise<object>
  statuses: Statuses
  /** How many log entries the administrator's call adds; 0 for reads. */
  records: number
}

const refused = {
  anonymous: 401,
  'bad token': 401,
  'share link': 401,
  'foreign user': 401,
  'foreign admin': 401,
  deleted: 401,
  'must change': 403,
} as const

/** Public; a token makes no difference. */
export const forAll = (status: number): Statuses =>
  Object.fromEntries(visitors.map((caller) => [caller, status])) as Statuses

/** For users with a valid token, each about themselves or about what they may see. */
export const forUsers = (status: number): Statuses => ({
  ...refused,
  'other tenant': status,
  'other group': status,
  without: status,
  with: status,
  admin: status,
})

/** Calls that are needed to change the password. */
export const evenBeforePasswordChange = (status: number): Statuses => ({ ...forUsers(status), 'must change': status })

export const forAdmins = (admin: number, otherTenant: number): Statuses => ({
  ...refused,
  'other group': 403,
  without: 403,
  with: 403,
  admin,
  'other tenant': otherTenant,
})

/** For users with an item; the input is about the group north. */
export const forHolders = (status: number, others: { 'other group': number; 'other tenant': number }): Statuses => ({
  ...refused,
  ...others,
  without: 403,
  with: status,
  admin: status,
})

export const onlyOwnGroup = { 'other group': 403, 'other tenant': 403 }

export const read = (statuses: Statuses, input?: Expected['input']): Expected => ({
  statuses,
  records: 0,
  ...(input && { input }),
})
export const change = (statuses: Statuses, input?: Expected['input']): Expected => ({
  statuses,
  records: 1,
  ...(input && { input }),
})

export const failedCommand = (input: Expected['input']): Expected => ({
  statuses: forHolders(503, onlyOwnGroup),
  records: 2,
  ...(input && { input }),
})
