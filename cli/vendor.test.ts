import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#server/platform/database/database.ts'
import { deriveSecrets } from '#server/platform/secrets.ts'
import { recordFeedFailure, recordFeedSuccess } from '#server/telemetry/feed-state.ts'
import { createTenant } from '#server/tenants/create-tenant.ts'
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import { listCredentials } from '#server/vendor/credentials.ts'
import { type Simulator, startSimulator } from '#simulator/server.ts'
import { buildEnvironment, runDishboard } from './testing/run-dishboard.ts'

const SECRET = 'the-vendor-secret'
let db: TestDatabase
let simulator: Simulator
let closedPort: number

const connect = (tenant: string, change: Record<string, string> = {}) => {
  const options = {
    '--tenant': tenant,
    '--base-url': simulator.url,
    '--token-url': simulator.tokenUrl,
    '--client-id': 'acme-account',
    '--client-secret': SECRET,
    ...change,
  }
  return runDishboard(['vendor', 'connect', ...Object.entries(options).flat()], buildEnvironment(db))
}

const list = (tenantId: string, key = buildEnvironment(db).SECRET_KEY) =>
  db.database.transaction({ tenantId }, (tx) => listCredentials(tx, deriveSecrets(key), tenantId))

beforeAll(async () => {
  db = await createTestDatabase()
  simulator = await startSimulator({
    accounts: [{ clientId: 'acme-account', clientSecret: SECRET, terminals: 2 }],
  })
  const brief = await startSimulator({ terminals: 1 })
  closedPort = brief.port
  await brief.close()
  const owner = openDatabase(db.owner, () => {})
  for (const id of ['acme', 'borealis'])
    await owner.transaction({ tenantId: id }, (tx) =>
      createTenant(tx, { performer: 'test', now: new Date() }, { id, hosts: [`${id}.example`], config: {} }),
    )
  await owner.close()
})
afterAll(async () => {
  await simulator.close()
  await db.close()
})

describe('vendor connect', () => {
  test.each<[string, () => Promise<{ code: number | null; err: string }>, RegExp]>([
    ['a wrong secret', () => connect('acme', { '--client-secret': 'wrong' }), /client id or secret is wrong/],
    [
      'an address where nothing listens',
      () => connect('acme', { '--token-url': `http://127.0.0.1:${closedPort}/token` }),
      /ECONNREFUSED/,
    ],
    [
      'a wrong base address',
      () => connect('acme', { '--base-url': `${simulator.origin}/api/v1` }),
      /GET \/account .*404/,
    ],
  ])('stores nothing when the vendor refuses %s, and reports why', async (_, run, message) => {
    const { code, err } = await run()
    expect(err).toMatch(message)
    expect(err.trimEnd()).not.toContain('\n')
    expect(code).toBe(1)
    expect(await list('acme')).toEqual([])
  })

  test('stores the credential encrypted, for its tenant only, records it, and never prints the secret', async () => {
    const { code, out, err } = await connect('acme')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/Connected account ACC-\S+ to tenant acme/)
    expect(out).not.toContain(SECRET)
    expect(await list('acme')).toMatchObject([
      { baseUrl: simulator.url, clientId: 'acme-account', clientSecret: SECRET },
    ])
    expect(await list('borealis')).toEqual([])
    const [stored, audit] = await db.database.transaction({ tenantId: 'acme' }, (tx) =>
      Promise.all([
        tx.selectFrom('vendor_credentials').select('client_secret').executeTakeFirstOrThrow(),
        tx.selectFrom('audit_log').selectAll().where('action', '=', 'vendor.connect').execute(),
      ]),
    )
    expect(stored.client_secret.includes(SECRET)).toBe(false)
    expect(audit).toMatchObject([{ performer: 'command line', details: { clientId: 'acme-account' } }])
    expect(JSON.stringify(audit)).not.toContain(SECRET)
  })

  test('updates a credential that is connected a second time', async () => {
    expect(await connect('acme', { '--base-url': `${simulator.url}/` })).toMatchObject({ code: 0 })
    expect(await list('acme')).toHaveLength(1)
  })
})

describe('doctor', () => {
  const doctor = async (environment: NodeJS.ProcessEnv = {}) => {
    const { code, out, err } = await runDishboard(['doctor'], { ...buildEnvironment(db), ...environment })
    expect(err).toBe('')
    return { code, lines: out.trimEnd().split('\n') }
  }
  const feedMoment = async (feed: 'inventory' | 'telemetry', at: Date) => {
    const [credential] = await list('acme')
    return { tenantId: 'acme', credentialId: credential?.id as number, feed, at }
  }
  const startMail = async () => {
    const server = new SMTPServer({
      authOptional: true,
      hideSTARTTLS: true,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, done) =>
        done(password === 'right' ? null : new Error('Invalid login'), { user: username }),
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.server.address() as { port: number }
    return { url: (password: string) => `smtp://me:${password}@127.0.0.1:${port}`, close: () => server.close() }
  }

  test('agrees with the server that a schema of a newer version is not usable', async () => {
    const owner = openDatabase(db.owner, () => {})
    await sql`insert into schema_migrations (name, timestamp) values ('9999_future', '')`.execute(owner.outsideTenants)
    const { code, lines } = await doctor()
    const migrated = await runDishboard(['migrate'], buildEnvironment(db))
    await sql`delete from schema_migrations where name = '9999_future'`.execute(owner.outsideTenants)
    await owner.close()
    expect(lines.filter((line) => line.startsWith('FAIL migrations: unknown to this version'))).toHaveLength(1)
    expect(code).toBe(1)
    expect(migrated).toMatchObject({ code: 1, err: expect.stringContaining('does not know 9999_future') })
  })

  test('reports each part in one line, and how to fix each problem', async () => {
    const mail = await startMail()
    await db.database.transaction({ tenantId: 'acme' }, async (tx) => {
      await recordFeedSuccess(tx, await feedMoment('inventory', new Date()))
      await recordFeedFailure(tx, await feedMoment('telemetry', new Date()), 'POST /telemetry/stream returned 404')
    })
    const { code, lines } = await doctor({ SMTP_URL: mail.url('right') })
    mail.close()
    const text = lines.join('\n')
    for (const line of lines) expect(line).toMatch(/^(ok {2}|FAIL|warn) [^:]+: .*\.$/)
    for (const line of lines.filter((line) => !line.startsWith('ok'))) expect(line).toContain('Fix: ')
    expect(text).toMatch(/^ok {3}configuration: /m)
    expect(text).toMatch(/^ok {3}database: connected to PostgreSQL \d+\.\d+/m)
    expect(text).toMatch(/^ok {3}role: /m)
    expect(text).toMatch(/^ok {3}migrations: /m)
    expect(text).toMatch(/^ok {3}owner: /m)
    expect(text).toMatch(/^ok {3}vendor acme\/acme-account: connected to account ACC-\S+/m)
    expect(text).toMatch(/^ok {3}vendor acme\/acme-account: inventory was read less than a minute ago/m)
    expect(text).toMatch(/^warn vendor acme\/acme-account: telemetry has never been read; .*stream returned 404/m)
    expect(text).toMatch(/^warn vendor borealis: no vendor account/m)
    expect(text).toMatch(/^ok {3}mail: signed in to 127\.0\.0\.1:\d+/m)
    expect(text).toMatch(/ disk: /)
    expect(text).toMatch(/^ok {3}clock: this machine’s clock agrees with the vendor/m)
    expect(text).not.toContain(SECRET)
    expect(code).toBe(0)
  })

  test('fails when the vendor or the mail server refuses us, or the key is wrong', async () => {
    const mail = await startMail()
    simulator.play('no-tokens')
    const refused = await doctor({ SMTP_URL: mail.url('wrong') })
    simulator.stopScenario('no-tokens')
    mail.close()
    expect(refused.code).toBe(1)
    expect(refused.lines.join('\n')).toMatch(/^FAIL vendor acme\/acme-account: .*failed with 503/m)
    expect(refused.lines.join('\n')).toMatch(/^FAIL mail: .*Fix: correct the user and password/m)
    const wrongKey = await doctor({ SECRET_KEY: 'another-key-another-key-another-key-' })
    expect(wrongKey.code).toBe(1)
    expect(wrongKey.lines.join('\n')).toMatch(/^FAIL vendor acme: .*SECRET_KEY/m)
    expect(wrongKey.lines.join('\n')).toMatch(/^FAIL mail: SMTP_URL is not set/m)
  })

  test('reports every configuration error and an unreachable database', async () => {
    const faulty = await doctor({ PORT: 'high', SMTP_URL_FILE: '/nowhere', SECRET_KEY: 'short' })
    expect(faulty.code).toBe(1)
    expect(faulty.lines.filter((line) => line.startsWith('FAIL configuration: '))).toHaveLength(3)
    const unreachable = await doctor({ DATABASE_URL: 'postgres://a@127.0.0.1:1/x' })
    expect(unreachable.code).toBe(1)
    expect(unreachable.lines.join('\n')).toMatch(/^FAIL database: .*ECONNREFUSED.*Fix: /m)
    expect(unreachable.lines.join('\n')).toMatch(/ disk: /)
  })

  test('fails when the data folder is not a folder', async () => {
    const file = fileURLToPath(import.meta.url)
    const { code, lines } = await doctor({ DATA_DIR: file })
    expect(code).toBe(1)
    expect(lines.join('\n')).toContain(`FAIL disk: ${file} is not a folder. Fix: `)
  })

  test('lists pending migrations and applies none', async () => {
    const lagging = openDatabase(db.superuser, () => {})
    const { rows } = await lagging.pool.query("delete from schema_migrations where name = '0003_audit' returning *")
    const { code, lines } = await doctor()
    expect(code).toBe(1)
    expect(lines.join('\n')).toMatch(/^FAIL migrations: not applied yet: 0003_audit\. Fix: /m)
    const { rowCount } = await lagging.pool.query("select from schema_migrations where name = '0003_audit'")
    await lagging.pool.query('insert into schema_migrations (name, timestamp) values ($1, $2)', Object.values(rows[0]))
    await lagging.close()
    expect(rowCount).toBe(0)
  })
})

describe('vendor snow-melt', () => {
  const set = (...options: string[]) => runDishboard(['vendor', 'snow-melt', ...options], buildEnvironment(db))
  const entries = (tenantId: string) =>
    db.database.transaction({ tenantId }, (tx) => tx.selectFrom('snow_melt_configs').selectAll().execute())

  test('adds, replaces and removes the mapping of a mode, in one tenant', async () => {
    const on = ['--tenant', 'acme', '--mode', 'ALWAYS_ON']
    expect((await set(...on, '--config-id', 'first')).code).toBe(0)
    expect((await set(...on, '--config-id', 'second')).code).toBe(0)
    expect(await entries('acme')).toEqual([{ tenant_id: 'acme', mode: 'ALWAYS_ON', config_id: 'second' }])
    expect(await entries('borealis')).toEqual([])
    expect((await set(...on, '--config-id', 'none')).code).toBe(0)
    expect(await entries('acme')).toEqual([])
  })

  test('refuses an unknown mode', async () => {
    const { code, err } = await set('--tenant', 'acme', '--mode', 'SOMETIMES', '--config-id', 'x')
    expect(code).toBe(2)
    expect(err).toContain('AUTO, ALWAYS_ON, ALWAYS_OFF')
  })
})
