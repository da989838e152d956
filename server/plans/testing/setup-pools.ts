import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { OverLimitBehavior } from '#contract/plans.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { createTenant } from '../../tenants/create-tenant.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { lockPool } from '../pool-row.ts'
import { reconcilePool } from '../reconcile-pool.ts'
import { createFleet } from './fleet.ts'

export const NOW = new Date('2026-11-15T12:00:00Z')

type TestFleet = Awaited<ReturnType<typeof createFleet>>

/** Tenants a and b with fleets, and an administrator and a user in a. Each test has three new lines for its pools. */
export const setupPools = () => {
  let base: TestDatabase
  let fleet: TestFleet
  let other: TestFleet
  let lines: number[]
  let nextNumber = 0

  beforeAll(async () => {
    base = await createTestDatabase()
    const owner = openDatabase(base.owner, () => {})
    for (const id of ['a', 'b'])
      await owner.transaction({ tenantId: id }, (db) =>
        createTenant(db, { performer: 'test', now: NOW }, { id, hosts: [`${id}.example`], config: {} }),
      )
    await owner.close()
    fleet = await createFleet(base.database, 'a')
    other = await createFleet(base.database, 'b')
    await addUsers(['admin', 'user'].map((role) => ({ email: `${role}@mail.example`, role, group_name: 'north' })))
  })
  afterAll(() => base.close())
  beforeEach(async () => {
    lines = []
    for (let count = 0; count < 3; count++) await addLine({ optedIn: count < 2 })
  })

  /** Adds a line, which is also added to the test's next pool. */
  const addLine = async (more: { optedIn?: boolean } = {}) => {
    lines.push(await fleet.addLine({ number: `SL-${nextNumber++}`, ...more }))
  }

  const addUsers = (users: { email: string; role: string; group_name: string }[]) =>
    fleet.inTenant((db) =>
      db
        .insertInto('users')
        .values(
          users.map((user) => ({
            tenant_id: 'a',
            password_hash: '-',
            customer_name: 'Some One',
            company: 'Company',
            ...user,
          })),
        )
        .returning('id')
        .execute(),
    )

  return {
    getDatabase: () => base.database,
    getFleet: () => fleet,
    getOther: () => other,
    getLines: () => lines as [number, number, number],
    startWithLines: async (count: number) => {
      lines = []
      for (let added = 0; added < count; added++) await addLine()
    },
    addUsers,

    createPool: (behavior: OverLimitBehavior, more: object = {}, members = lines) =>
      fleet.inTenant(async (db) => {
        const { id } = await db
          .insertInto('pools')
          .values({
            tenant_id: 'a',
            name: behavior,
            over_limit_behavior: behavior,
            usage_limit_gb: 100,
            next_usage_limit_gb: 200,
            anchor_day: 1,
            cycle_start: '2026-11-01',
            cycle_end: '2026-12-01',
            created_at: NOW,
            ...more,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await db
          .insertInto('pool_lines')
          .values(members.map((line) => ({ tenant_id: 'a', service_line_id: line, pool_id: id })))
          .execute()
        return id
      }),

    reconcile: (poolId: number, now = NOW) =>
      fleet.inTenant(async (db) => reconcilePool(db, await lockPool(db, 'a', poolId), now)),

    crossings: (poolId: number) =>
      fleet.inTenant((db) =>
        db
          .selectFrom('pool_crossings')
          .select(['behavior', 'limit_gb', 'used_gb', 'ended_at'])
          .where('pool_id', '=', poolId)
          .orderBy('id')
          .execute(),
      ),

    orders: (poolId: number) =>
      fleet.inTenant((db) =>
        db
          .selectFrom('pool_orders as placed')
          .innerJoin('pool_crossings as crossing', 'crossing.id', 'placed.crossing_id')
          .select(['placed.service_line_id', 'placed.desired', 'placed.state'])
          .where('crossing.pool_id', '=', poolId)
          .orderBy('placed.id')
          .execute(),
      ),

    mails: (name: string) =>
      fleet.inTenant((db) =>
        db
          .selectFrom('messages')
          .select(['recipient', 'subject'])
          .where('subject', 'like', `%${name}%`)
          .orderBy('created_at')
          .execute(),
      ),

    entries: (poolId: number, action: string) =>
      fleet.inTenant(async (db) => {
        const found = await db.selectFrom('audit_log').select('details').where('action', '=', action).execute()
        return found.filter(({ details }) => (details as { pool: number }).pool === poolId)
      }),
  }
}
