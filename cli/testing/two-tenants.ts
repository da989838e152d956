import { listEntries } from '#server/audit/queries.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { buildEnvironment, runDishboard, spawnDishboard } from './run-dishboard.ts'

/** A database with the tenants acme and borealis, both created by commands. */
export const openTwoTenants = async () => {
  const db = await createTestDatabase()
  /** With input, in a separate process, which reads it from stdin. */
  const dishboard = (args: string[], input?: string) =>
    (input === undefined ? runDishboard : spawnDishboard)(args, buildEnvironment(db), input)
  const createTenant = (id: string, host: string) =>
    dishboard(['tenant', 'create', '--id', id, '--host', host, '--company', `${id} & Søn`])
  for (const [id, host] of [
    ['acme', 'Portal.ACME.example'],
    ['borealis', 'portal.borealis.example'],
  ] as const) {
    const { code, err } = await createTenant(id, host)
    if (code !== 0 || err !== '') throw new Error(`tenant create failed: ${err}`)
  }
  return {
    db,
    dishboard,
    createTenant,
    createUser: (tenant: string, email: string, password = 'Secret-pass-123', input?: string) =>
      dishboard(
        [
          'user',
          'create',
          '--tenant',
          tenant,
          '--email',
          email,
          '--password',
          password,
          '--role',
          'user',
          '--group',
          'north',
          '--name',
          'Ada',
          '--company',
          'Acme',
        ],
        input,
      ),
    listAudit: (tenantId: string) =>
      db.database.transaction({ tenantId }, async (tx) => (await listEntries(tx, tenantId, {}, 1000)).reverse()),
    listUsers: (tenantId: string) =>
      db.database.transaction({ tenantId }, (tx) =>
        tx.selectFrom('users').select(['email', 'password_hash', 'role', 'group_name', 'customer_name']).execute(),
      ),
  }
}
