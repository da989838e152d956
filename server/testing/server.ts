import pino from 'pino'
import { createFleet } from '../fleet/fleet.ts'
import { createUser, type NewUser } from '../identity/create-user.ts'
import { openDatabase } from '../platform/database/database.ts'
import { listenToDatabase } from '../platform/database/listen.ts'
import { deriveSecrets } from '../platform/secrets.ts'
import { type AppServices, createApp } from '../process/app.ts'
import { readConfig } from '../process/config.ts'
import { createTenant } from '../tenants/create-tenant.ts'
import { createTestDatabase, TEST_SECRET_KEY, type TestDatabase } from './database.ts'
import { setTestHashing } from './hashing.ts'

const log = pino({ level: 'silent' })
const by = { performer: 'test', now: new Date() }

// Tests share a machine with builds and browsers, and do not test speed. No finite delay would do: under-pressure reports an
// interval without an event-loop iteration as an infinite one.
const NO_DELAY_LIMIT = { maxEventLoopDelayMs: Number.POSITIVE_INFINITY }

export const PASSWORD = 'Right-pass-1'

/** The HTTP server on a separate database, with the tenants a.example and b.example and without users. */
export const startTestServer = async (environment: NodeJS.ProcessEnv = {}, given?: TestDatabase) => {
  setTestHashing()
  const test = given ?? (await createTestDatabase())
  const { database } = test
  const owner = openDatabase(test.owner, () => {})
  for (const id of ['a', 'b'])
    await owner.transaction({ tenantId: id }, (db) =>
      createTenant(db, by, { id, hosts: [`${id}.example`], config: { company_name: `Company ${id}` } }),
    )
  await owner.close()
  const listener = listenToDatabase({ connection: test.runtime, log })
  const clock = { now: new Date() }
  const fleet = await createFleet({ database, listener, log, now: () => clock.now, checkIntervalMs: 100 })
  const services: AppServices = {
    config: readConfig({ DATA_DIR: test.dataDir, ...environment }),
    database,
    secrets: deriveSecrets(TEST_SECRET_KEY),
    fleet,
    now: () => clock.now,
  }
  const app = await createApp(services, log, NO_DELAY_LIMIT)

  /** One call, as sent by a browser on the tenant's host. */
  const call = async (
    tenant: string,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    { body, token, headers }: { body?: object; token?: string; headers?: Record<string, string> } = {},
  ) => {
    const response = await app.inject({
      method,
      url: path,
      headers: { host: `${tenant}.example`, ...(token && { authorization: `Bearer ${token}` }), ...headers },
      ...(body && { payload: body }),
    })
    const isJson = response.headers['content-type']?.toString().startsWith('application/json')
    return { status: response.statusCode, headers: response.headers, body: isJson ? response.json() : response.body }
  }

  const addUser = (tenant: string, user: Partial<NewUser> = {}) =>
    database.transaction({ tenantId: tenant }, (db) =>
      createUser(db, tenant, by, {
        email: 'someone@mail.example',
        username: 'north',
        customerName: 'Some One',
        company: 'Company',
        initialPassword: PASSWORD,
        role: 'user',
        ...user,
      }),
    )

  const signIn = async (
    tenant: string,
    email = 'someone@mail.example',
  ): Promise<{ access: string; refresh: string }> => {
    const { status, body } = await call(tenant, 'POST', '/api/user/login/', { body: { email, password: PASSWORD } })
    if (status !== 200) throw new Error(`sign-in returned ${status}: ${JSON.stringify(body)}`)
    return body
  }

  return {
    ...test,
    app,
    services,
    listener,
    clock,
    call,
    addUser,
    signIn,
    close: async () => {
      const closing = app.close()
      // Idle keep-alive connections of clients.
      app.server.closeAllConnections()
      await closing
      await fleet.close()
      await listener.close()
      await test.close()
    },
  }
}

export type TestServer = Awaited<ReturnType<typeof startTestServer>>
