import pg from 'pg'
import { pino } from 'pino'
import { type SimulatorOptions, startSimulator } from '#simulator/server.ts'
import { createStarlinkClient } from '#starlink/client.ts'
import { deriveSecrets } from '../../platform/secrets.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { connectVendor } from '../credentials.ts'

const accounts = [
  { tenantId: 'alpha', clientId: 'client-alpha', clientSecret: 'secret-alpha', terminals: 6 },
  { tenantId: 'beta', clientId: 'client-beta', clientSecret: 'secret-beta', terminals: 4 },
] as const

export const secrets = deriveSecrets('a key for tests, long enough to be taken')

/** Two tenants, each with a credential of the simulated vendor, whose clock the test sets. */
export const createTwoAccounts = async ({
  socketDir,
  terminals,
  simulation = {},
}: {
  socketDir?: string
  /** Of each account; a few by default. */
  terminals?: number
  simulation?: Pick<SimulatorOptions, 'now' | 'speed'>
} = {}) => {
  const test = await createTestDatabase(socketDir === undefined ? {} : { socketDir })
  const { database } = test
  const clock = { nowMs: Date.now() }
  const simulator = await startSimulator({
    accounts: accounts.map((account) => ({ ...account, terminals: terminals ?? account.terminals })),
    now: () => clock.nowMs,
    ...simulation,
  })
  const superuser = new pg.Pool({ ...test.superuser, max: 1 })
  // The outage test terminates this connection.
  superuser.on('error', () => {})
  const logged: { msg: string; [name: string]: unknown }[] = []

  const connect = async ({ tenantId, clientId, clientSecret }: (typeof accounts)[number]) => {
    await superuser.query('insert into tenants (id) values ($1)', [tenantId])
    const credential = { clientId, clientSecret, baseUrl: simulator.url, tokenUrl: simulator.tokenUrl }
    const credentialId = await database.transaction({ tenantId }, (db) =>
      connectVendor(db, secrets, { tenantId, ...credential }),
    )
    return { tenantId, credentialId, database, now: () => clock.nowMs, client: createStarlinkClient(credential) }
  }

  return {
    ...test,
    simulator,
    superuser,
    clock,
    logged,
    log: pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) }),
    alpha: await connect(accounts[0]),
    beta: await connect(accounts[1]),
    rows: async <T extends pg.QueryResultRow>(tenantId: string, query: string): Promise<T[]> =>
      database.transaction({ tenantId }, async (_, client) => (await client.query<T>(query)).rows),
    close: async () => {
      await simulator.close()
      await superuser.end()
      await test.close()
    },
  }
}

export type TwoAccounts = Awaited<ReturnType<typeof createTwoAccounts>>
