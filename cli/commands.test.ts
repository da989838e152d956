import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listEntries } from '#server/audit/queries.ts'
import { findMatchingHash, toBulkRequester } from '#server/identity/passwords.ts'
import { listMigrationNames } from '#server/platform/database/migrate.ts'
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import { buildEnvironment, runDishboard, spawnDishboard } from './testing/run-dishboard.ts'

let db: TestDatabase
/** With input, as a process, which really reads it. */
const dishboard = (args: string[], input?: string) =>
  (input === undefined ? runDishboard : spawnDishboard)(args, buildEnvironment(db), input)

const createTenant = (id: string, host: string) =>
  dishboard(['tenant', 'create', '--id', id, '--host', host, '--company', `${id} & Søn`])

const createUser = (tenant: string, email: string, password = 'Secret-pass-123', input?: string) =>
  dishboard(
    [
      ...['user', 'create', '--tenant', tenant, '--email', email, '--password', password],
      ...['--role', 'user', '--group', 'north', '--name', 'Ada', '--company', 'Acme'],
    ],
    input,
  )

const listAudit = (tenantId: string) =>
  db.database.transaction({ tenantId }, async (tx) => (await listEntries(tx, tenantId, {}, 1000)).reverse())

const listUsers = (tenantId: string) =>
  db.database.transaction({ tenantId }, (tx) =>
    tx.selectFrom('users').select(['email', 'password_hash', 'role', 'group_name', 'customer_name']).execute(),
  )

beforeAll(async () => {
  db = await createTestDatabase()
  expect(await createTenant('acme', 'Portal.ACME.example')).toMatchObject({ code: 0, err: '' })
  expect(await createTenant('borealis', 'portal.borealis.example')).toMatchObject({ code: 0, err: '' })
})
afterAll(() => db.close())

describe('user erase', () => {
  const erase = (email: string, confirm = email) =>
    dishboard(['user', 'erase', '--tenant', 'acme', '--email', email, '--confirm', confirm])

  test('erases a user, and whoever has no account any more', async () => {
    await createUser('acme', 'Gone@acme.example')
    expect(await erase('gone@acme.example', 'other@acme.example')).toMatchObject({ code: 2 })
    expect(await erase('gone@acme.example')).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 account was deleted'),
    })
    expect(JSON.stringify([await listUsers('acme'), await listAudit('acme')])).not.toMatch(/gone@acme/i)
    expect(await erase('gone@acme.example')).toMatchObject({ code: 0, out: expect.stringContaining('0 accounts') })
  })
})

describe('tenant create', () => {
  test('writes the lowercase host, the public configuration and an audit entry', async () => {
    const hosts = await db.database.outsideTenants.selectFrom('tenant_hosts').selectAll().orderBy('host').execute()
    expect(hosts).toEqual([
      { host: 'portal.acme.example', tenant_id: 'acme' },
      { host: 'portal.borealis.example', tenant_id: 'borealis' },
    ])
    const config = await db.database.transaction({ tenantId: 'acme' }, (tx) =>
      tx.selectFrom('tenant_settings').select('public_config').execute(),
    )
    expect(config).toEqual([{ public_config: { company_name: 'acme & Søn' } }])
    expect((await listAudit('acme'))[0]).toMatchObject({
      performer: 'command line',
      action: 'tenant.create',
      performee: 'acme',
      details: { hosts: ['portal.acme.example'] },
    })
  })

  test('refuses an id or host that is in use, without creating half a tenant', async () => {
    expect(await createTenant('acme', 'new.example')).toEqual({
      code: 1,
      out: '',
      err: "dishboard: There is a tenant 'acme' already.\n",
    })
    expect(await createTenant('third', 'portal.acme.EXAMPLE')).toMatchObject({
      code: 1,
      err: expect.stringContaining("'portal.acme.example' belongs to another tenant"),
    })
    const tenants = await db.database.outsideTenants.selectFrom('tenants').select('id').orderBy('id').execute()
    expect(tenants.map(({ id }) => id)).toEqual(['acme', 'borealis'])
  })

  test('stores a host name in another script as punycode, as browsers send it', async () => {
    expect(await createTenant('sami', 'sámi.example')).toMatchObject({
      code: 0,
      out: expect.stringContaining('xn--smi-'),
    })
  })

  test('requires the owner of the tables', async () => {
    const { DATABASE_OWNER_URL: _, ...environment } = buildEnvironment(db)
    const outcome = await runDishboard(
      ['tenant', 'create', '--id', 'x', '--host', 'x.example', '--company', 'X'],
      environment,
    )
    expect(outcome).toMatchObject({ code: 1, err: expect.stringContaining('Set DATABASE_OWNER_URL') })
  })
})

describe('tenant configure', () => {
  test('sets the configuration and the FAQ, and refuses an invalid file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dishboard-configure-'))
    const good = join(folder, 'good.json')
    const bad = join(folder, 'bad.json')
    await writeFile(
      good,
      JSON.stringify({ config: { company_name: 'Acme', ticket: 'email' }, faq: [{ question: 'Why?', answer: 'So.' }] }),
    )
    await writeFile(bad, JSON.stringify({ config: { chatbot_script: 'http://plain.example/x.js' } }))
    const configure = (file: string) => dishboard(['tenant', 'configure', '--tenant', 'acme', '--file', file])
    expect(await configure(bad)).toMatchObject({
      code: 2,
      err: expect.stringContaining('config.chatbot_script: must be'),
    })
    expect(await configure(join(folder, 'none.json'))).toMatchObject({ code: 1 })
    expect(await configure(good)).toMatchObject({ code: 0, err: '' })
    const settings = await db.database.transaction({ tenantId: 'acme' }, (tx) =>
      tx.selectFrom('tenant_settings').selectAll().executeTakeFirstOrThrow(),
    )
    expect(settings).toMatchObject({
      public_config: { company_name: 'Acme', ticket: 'email' },
      faq: [{ question: 'Why?', keywords: [] }],
    })
    await rm(folder, { recursive: true })
  })
})

describe('user create', () => {
  test('creates a user who can sign in to that tenant only, and records it without the password', async () => {
    expect(await createUser('acme', 'Ada@acme.example')).toMatchObject({ code: 0, err: '' })
    const [user] = await listUsers('acme')
    expect(user).toMatchObject({ email: 'Ada@acme.example', role: 'user', group_name: 'north', customer_name: 'Ada' })
    expect(await findMatchingHash([user?.password_hash], 'Secret-pass-123', toBulkRequester('acme'))).toBe(0)
    expect(await listUsers('borealis')).toEqual([])
    const entry = (await listAudit('acme')).at(-1)
    expect(entry).toMatchObject({ performer: 'command line', action: 'user.create', performee: 'Ada@acme.example' })
    expect(JSON.stringify(entry)).not.toContain('Secret-pass-123')
  })

  test('refuses an email that differs only in case, and accepts it in another tenant', async () => {
    expect(await createUser('acme', 'aDA@ACME.example')).toMatchObject({
      code: 1,
      err: expect.stringContaining('aDA@ACME.example already'),
    })
    expect(await listUsers('acme')).toHaveLength(1)
    expect(await createUser('borealis', 'ada@acme.example')).toMatchObject({ code: 0 })
  })

  test('reads the password from standard input and validates it', async () => {
    expect(await createUser('acme', 'piped@acme.example', '-', 'Piped-123\n')).toMatchObject({ code: 0 })
    const user = (await listUsers('acme')).find(({ email }) => email === 'piped@acme.example')
    expect(await findMatchingHash([user?.password_hash], 'Piped-123', toBulkRequester('acme'))).toBe(0)
    expect(await createUser('acme', 'weak@acme.example', '-', 'weak\n')).toMatchObject({ code: 2 })
    expect(await createUser('acme', 'weak@acme.example', '-', 'Password1!\n')).toMatchObject({ code: 2 })
  })

  test('refuses an unknown tenant', async () => {
    const outcome = await createUser('nowhere', 'a@b.example')
    expect(outcome).toMatchObject({ code: 2, err: "dishboard: --tenant: there is no tenant 'nowhere'\n" })
  })
})

describe('tenant settings', () => {
  const settings = (...args: string[]) => dishboard(['tenant', 'settings', '--tenant', 'acme', ...args])

  test('shows the current values, and changes what is given', async () => {
    const days = (text: string) => `${text} days, as the installation`
    const lines = [
      ...['Settings of tenant acme:', `  tickets          ${days('1095')}`, `  messages         ${days('90')}`],
      ...[`  security events  ${days('365')}`, '  settling         5 min', '  time zone        UTC'],
      ...['  units            metric', '  second factors   required of nobody', ''],
    ]
    expect(await settings()).toEqual({ code: 0, out: lines.join('\n'), err: '' })
    const changed = await settings('--message-days', '14', '--time-zone', 'America/Toronto', '--settling-minutes', '9')
    expect(changed).toMatchObject({ code: 0, err: '' })
    for (const value of ['messages         14 days', 'settling         9 min', 'time zone        America/Toronto'])
      expect(changed.out).toContain(value)
    expect((await settings('--message-days', 'default')).out).toContain(`messages         ${days('90')}`)
    expect((await settings()).out).toContain('America/Toronto')
    const required = await settings('--second-factor-admins', 'on', '--second-factor-users', 'off')
    expect(required.out).toContain('second factors   required of administrators')
    expect(await settings('--second-factor-users', 'maybe')).toMatchObject({ code: 2 })
    const entries = (await listAudit('acme')).filter(({ action }) => action === 'tenant.settings')
    expect(entries.map(({ performer, details }) => [performer, details])).toEqual([
      [
        'command line',
        {
          before: { messageRetentionDays: null, settlingMinutes: 5, timeZone: 'UTC' },
          after: { messageRetentionDays: 14, settlingMinutes: 9, timeZone: 'America/Toronto' },
        },
      ],
      ['command line', { before: { messageRetentionDays: 14 }, after: { messageRetentionDays: null } }],
      ['command line', { before: { secondFactorForAdmins: false }, after: { secondFactorForAdmins: true } }],
    ])
  })

  test('refuses values out of bounds, and says which', async () => {
    const refused = await settings('--time-zone', 'Mars/Base', '--settling-minutes', '121', '--units', 'nautical')
    expect(refused).toMatchObject({ code: 2, out: '' })
    for (const name of ['--time-zone', '--settling-minutes', '--units']) expect(refused.err).toContain(`${name}: `)
  })
})

describe('sso', () => {
  const sso = (command: string, ...args: string[]) => dishboard(['sso', command, '--tenant', 'borealis', ...args])

  test('sets single sign-on up, replaces its rules and switches it off for those who are locked out', async () => {
    expect(await sso('show')).toMatchObject({ code: 1, err: 'dishboard: tenant borealis has no single sign-on\n' })
    const provider = ['--issuer', 'https://login.example', '--client-id', 'portal', '--client-secret', 'secret']
    expect(await sso('set', ...provider, '--enabled', 'yes')).toMatchObject({ code: 0, err: '' })
    expect(await sso('set', '--only', 'yes')).toMatchObject({ code: 1, err: expect.stringContaining('at least one') })
    const unknown = await sso('set', '--only', 'yes', '--break-glass', 'nobody@borealis.example')
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('there is no administrator') })
    const rule = { claim: 'groups', operator: 'equals', value: 'noc', outcome: 'user', group: 'north' }
    expect((await sso('rules', '--rules', JSON.stringify([rule]))).out).toBe('Changed: rules.\n')
    expect(JSON.parse((await sso('rules')).out)).toEqual([rule])
    expect(await sso('rules', '--rules', '[{}]')).toMatchObject({ code: 2 })
    const shown = await sso('show')
    expect(shown.out).toContain('issuer       https://login.example')
    expect(shown.out).toContain('use          on, beside passwords')
    expect((await sso('disable')).out).toBe('Changed: isEnabled.\n')
    expect((await sso('show')).out).toContain('use          off')
    const entries = (await listAudit('borealis')).filter(({ action }) => action === 'tenant.single_sign_on')
    expect(entries.map(({ performer }) => performer)).toEqual(['command line', 'command line', 'command line'])
    expect(JSON.stringify(entries)).not.toContain('"secret"')
  })
})

describe('migrate', () => {
  test('has nothing to do on an up-to-date database', async () => {
    expect(await dishboard(['migrate'])).toEqual({ code: 0, out: 'The database is up to date.\n', err: '' })
  })

  test('lists the migrations it applied, in order', async () => {
    const bare = await createTestDatabase({ template: 'template0' })
    const { code, out, err } = await runDishboard(['migrate'], buildEnvironment(bare))
    await bare.close()
    const names = await listMigrationNames()
    expect(names.length).toBeGreaterThan(10)
    const lines = [...names.map((name) => `Applied ${name}.`), 'The database is up to date.', '']
    expect({ code, out, err }).toEqual({ code: 0, out: lines.join('\n'), err: '' })
  })
})

describe('reports a database it cannot use in one line, with exit code 1', () => {
  test.each([
    ['nothing listens', { DATABASE_URL: 'postgres://a@127.0.0.1:1/x' }, /nothing listens there/],
    ['there is no such database', { DATABASE_URL: 'no-such-database' }, /no such database/],
    ['a faulty configuration', { DATABASE_URL: 'mysql://x', PORT: 'high' }, /PORT .*; DATABASE_URL /],
    ['a superuser', { DATABASE_URL: 'superuser' }, /row-level security/],
  ])('%s', async (_, change, message) => {
    const given = buildEnvironment(db)
    const urls: Record<string, string> = {
      'no-such-database': given.DATABASE_URL.replace(/test_\w+/, 'test_none'),
      superuser: given.DATABASE_URL.replace('dishboard_app', 'postgres'),
    }
    const environment = { ...given, ...change, DATABASE_URL: urls[change.DATABASE_URL] ?? change.DATABASE_URL }
    const { code, out, err } = await runDishboard(['migrate'], environment)
    expect(err).toMatch(message)
    expect(err.trimEnd()).not.toContain('\n')
    expect({ code, out }).toEqual({ code: 1, out: '' })
  })
})

describe('token', () => {
  const create = (...more: string[]) =>
    dishboard([
      ...['token', 'create', '--tenant', 'acme', '--name', 'Grafana', '--scopes', 'terminals:read, plans:read'],
      ...['--role', 'user', '--group', 'north', '--days', '30', ...more],
    ])
  const list = async (tenant: string) => (await dishboard(['token', 'list', '--tenant', tenant])).out.trim()

  test('creates, lists and revokes the token of a service', async () => {
    expect(await create('--networks', '192.0.2.0/33')).toMatchObject({ code: 2 })
    const { code, out } = await create('--networks', '192.0.2.0/24')
    expect(code).toBe(0)
    expect(out.trim()).toMatch(/^dsb_acme_[0-9A-Za-z]{49}$/)
    const [id = '', owner, name, scopes] = (await list('acme')).split('\t')
    expect([owner, name, scopes]).toEqual(['service', 'Grafana', 'terminals:read,plans:read'])
    expect(await list('borealis')).toBe('')
    const revoke = (tenant: string) => dishboard(['token', 'revoke', '--tenant', tenant, '--id', id])
    expect(await revoke('borealis')).toMatchObject({ code: 1 })
    expect(await revoke('acme')).toMatchObject({ code: 0, out: expect.stringContaining('is revoked') })
    expect(await list('acme')).toBe('')
    expect((await listAudit('acme')).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['token.create', 'token.revoke']),
    )
  })
})

describe('user reset-factors', () => {
  const reset = (email: string) => dishboard(['user', 'reset-factors', '--tenant', 'acme', '--email', email])

  test('removes the factors of a user who has some, and mails the user', async () => {
    await createUser('acme', 'lost@acme.example')
    expect(await reset('lost@acme.example')).toMatchObject({
      code: 0,
      out: 'lost@acme.example has no second factor.\n',
    })
    await db.database.transaction({ tenantId: 'acme' }, async (tx) => {
      const { id } = await tx
        .updateTable('users')
        .set({ has_second_factor: true })
        .where('email', '=', 'lost@acme.example')
        .returning('id')
        .executeTakeFirstOrThrow()
      const times = { created_at: new Date(), confirmed_at: new Date() }
      await tx
        .insertInto('totp_secrets')
        .values({ tenant_id: 'acme', user_id: id, secret: Buffer.from('sealed'), ...times })
        .execute()
    })
    expect(await reset('Lost@acme.example')).toMatchObject({
      code: 0,
      out: expect.stringContaining('The second factors of lost@acme.example are removed: authenticator app.'),
    })
    const mail = await db.database.transaction({ tenantId: 'acme' }, (tx) =>
      tx.selectFrom('messages').select('text').where('recipient', '=', 'lost@acme.example').executeTakeFirstOrThrow(),
    )
    expect(mail.text).toContain('By: command line')
    expect(await reset('nobody@acme.example')).toMatchObject({ code: 1 })
  })
})
