import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startOpenIdProvider } from '#server/testing/openid-provider.ts'
import { buildEnvironment, runDishboard } from './testing/run-dishboard.ts'
import { openTwoTenants } from './testing/two-tenants.ts'

const { db, dishboard, createTenant, listAudit } = await openTwoTenants()
afterAll(() => db.close())

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

describe('tenant settings', () => {
  const settings = (...args: string[]) => dishboard(['tenant', 'settings', '--tenant', 'acme', ...args])

  test('shows the current values, and changes what is given', async () => {
    const days = (text: string) => `${text} days, as the installation`
    const lines = [
      'Settings of tenant acme:',
      `  tickets          ${days('1095')}`,
      `  messages         ${days('90')}`,
      `  security events  ${days('365')}`,
      '  settling         5 min',
      '  warnings         50 km from the service address, 20 km from a border, 30 days abroad',
      '  time zone        UTC',
      '  units            metric',
      '  second factors   required of nobody',
      '  status page      off',
      '',
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
    expect(await sso('show')).toMatchObject({
      code: 1,
      err: expect.stringContaining('tenant borealis has no single sign-on'),
    })
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
    expect((await sso('disable')).out).toBe('Changed: enabled.\n')
    expect((await sso('show')).out).toContain('use          off')
    const entries = (await listAudit('borealis')).filter(({ action }) => action === 'tenant.single_sign_on')
    expect(entries.map(({ performer }) => performer)).toEqual(['command line', 'command line', 'command line'])
    expect(JSON.stringify(entries)).not.toContain('"secret"')
  })

  test('says what is wrong, in the words of its options', async () => {
    const bare = (command: string, ...args: string[]) => dishboard(['sso', command, '--tenant', 'acme', ...args])
    for (const command of ['disable', 'show', 'test'])
      expect(await bare(command)).toEqual({
        code: 1,
        out: '',
        err: 'dishboard: tenant acme has no single sign-on. Set it up with sso set\n',
      })
    const provider = ['--issuer', 'https://login.example', '--client-id', 'portal']
    for (const [args, message] of [
      [['--button', 'x'], '--issuer: This field is required; --client-id: This field is required'],
      [provider, '--client-secret: Please enter the client secret.'],
      [['--issuer', 'login', '--client-id', 'x'], '--issuer: Please enter an address like https://login.example.com'],
      [[...provider, '--recheck-minutes', '0'], '--recheck-minutes: Please enter a whole number from 1 to 1,440'],
      [
        ['--issuer', 'https://169.254.169.254', '--client-id', 'x', '--client-secret', 'y', '--enabled', 'yes'],
        '--issuer: The address must be on the public internet; link-local and cloud metadata addresses are not called.',
      ],
    ] as const)
      expect(await bare('set', ...args)).toEqual({ code: 2, out: '', err: `dishboard: ${message}\n` })
    expect(await bare('set', ...provider, '--client-secret', 'secret')).toMatchObject({ code: 0 })
    expect(await bare('rules', '--rules', '{')).toMatchObject({ err: 'dishboard: --rules: this is not JSON\n' })
    const rules = JSON.stringify([{ claim: 'groups', operator: 'is', value: 'noc', outcome: 'user', group: 'north' }])
    expect((await bare('rules', '--rules', rules)).err).toContain('--rules.0.operator: Please choose one of: equals')
  })

  test('tests the connection to the provider', async () => {
    const provider = await startOpenIdProvider(['https://portal.acme.example/sso/callback'])
    const bare = (command: string, ...args: string[]) =>
      runDishboard(['sso', command, '--tenant', 'acme', ...args], {
        ...buildEnvironment(db),
        OUTBOUND_NETWORKS: '127.0.0.0/8',
      })
    const client = ['--client-id', 'portal', '--client-secret', 'secret']
    expect(await bare('set', '--issuer', provider.issuer, ...client)).toMatchObject({ code: 0, err: '' })
    const tested = await bare('test')
    expect(tested).toMatchObject({ code: 0, err: '' })
    expect(tested.out).toContain(`OK: The provider answers and calls itself ${provider.issuer}.\nOK: `)
    await provider.close()
    expect(await bare('test')).toEqual({
      code: 1,
      err: '',
      out: 'Note: There is no OpenID provider at this address, or it does not answer.\n',
    })
  })
})
