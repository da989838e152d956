import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig, secretNames } from './config.ts'

const production = {
  DATABASE_URL: 'postgres://app:x@db.example/dishboard',
  DATABASE_OWNER_URL: 'postgres://owner:x@db.example/dishboard',
  SECRET_KEY: 'k'.repeat(32),
}

const listFaults = (environment: NodeJS.ProcessEnv) => {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

describe('the configuration', () => {
  test('of an empty environment is the demo on the embedded database, open to this machine only', () => {
    expect(readConfig({})).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      dataDir: '.data',
      databaseUrl: undefined,
      demo: true,
      trustedProxies: [],
    })
  })

  test('with a database is not the demo, unless that is set', () => {
    expect(readConfig(production).demo).toBe(false)
    expect(readConfig({ ...production, DEMO: '1' }).demo).toBe(true)
    expect(readConfig({ DEMO: '0' }).demo).toBe(false)
  })

  test('treats an empty setting as not set', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 8080, demo: true })
  })

  test('reads several trusted proxies', () => {
    expect(readConfig({ TRUST_PROXY: '10.0.0.1, 10.1.0.0/16' }).trustedProxies).toEqual(['10.0.0.1', '10.1.0.0/16'])
  })

  test('refuses proxies that are no addresses, and secrets that no header can carry', () => {
    expect(readConfig({ TRUST_PROXY: 'loopback, 2001:db8::/32' }).trustedProxies).toEqual(['loopback', '2001:db8::/32'])
    for (const proxies of ['nginx', 'true', '10.0.0.0/33', '10.0.0.1 10.0.0.2'])
      expect(listFaults({ TRUST_PROXY: proxies })).toEqual([expect.stringMatching(/^TRUST_PROXY must be addresses/)])
    for (const text of ['Bearer a\nX-Other: b', 'Bearer tökén', 'a\rb'])
      expect(listFaults({ SECURITY_LOG_AUTHORIZATION: text, METRICS_TOKEN: `${text}${'m'.repeat(16)}` })).toEqual([
        'SECURITY_LOG_AUTHORIZATION must be one line of ASCII characters',
        'METRICS_TOKEN must be one line of ASCII characters',
      ])
  })

  test('uses public map tiles unless others or none are set', () => {
    expect(readConfig({}).mapTiles.light).toContain('openstreetmap.org')
    const own = 'http://tiles.lan/{z}/{y}/{x}.png'
    expect(readConfig({ TILES_LIGHT_URL: own, TILES_DARK_URL: 'none' }).mapTiles).toMatchObject({
      light: own,
      dark: undefined,
    })
    expect(listFaults({ TILES_LIGHT_URL: 'https://tiles.example/' })).toEqual([
      'TILES_LIGHT_URL must be none, or an address with {z}, {x} and {y} in it',
    ])
  })

  test('reports all errors at once, each with the name of its setting', () => {
    const faults = listFaults({
      PORT: '70000',
      DATABASE_URL: 'mysql://db.example/x',
      DEMO: 'yes',
      DEMO_TERMINALS: '0',
      SECRET_KEY: 'short',
      SMTP_URL: 'mail.example',
      MARKETING_URL: 'javascript:alert(1)',
      LOG_LEVEL: 'loud',
    })
    const names = faults.map((fault) => fault.split(' ')[0])
    expect(names.sort()).toEqual(
      ['PORT', 'DATABASE_URL', 'DEMO', 'DEMO_TERMINALS', 'SECRET_KEY', 'SMTP_URL', 'MARKETING_URL', 'LOG_LEVEL'].sort(),
    )
  })

  test.each([
    ['PORT', '80.5'],
    ['WORK_PORT', 'x'],
    ['SPOOL_MAX_MB', '1'],
    ['DRAIN_SECONDS', '16'],
    ['DATABASE_URL', 'postgres://'],
    ['DATABASE_URL', 'postgres://db.example/dishboard'],
    ['DATABASE_URL', 'postgres://app:x@db.example'],
    ['DATABASE_OWNER_URL', 'localhost/dishboard'],
    ['DATABASE_CONNECTIONS', '4'],
    ['DEMO', 'true'],
    ['DEMO_TERMINALS', '100001'],
    ['SECRET_KEY', 'short'],
    ['SECRET_KEY_PREVIOUS', 'short'],
    ['SMTP_URL', 'smtp://'],
    ['MAIL_FROM', 'portal'],
    ['SMS_API_URL', 'sms.example'],
    ['SMS_FROM', '907'],
    ['MARKETING_URL', 'x'],
    ['TILES_LIGHT_URL', 'https://tiles.example/'],
    ['TILES_DARK_URL', 'dark'],
    ['TILES_ATTRIBUTION', 'x'.repeat(201)],
    ['SECURITY_LOG', 'syslog://'],
    ['SECURITY_LOG', 'file'],
    ['SECURITY_LOG_AUTHORIZATION', 'a\nb'],
    ['TICKET_RETENTION_DAYS', '0'],
    ['MESSAGE_RETENTION_DAYS', '1.5'],
    ['SECURITY_EVENT_RETENTION_DAYS', '36501'],
    ['TRUST_PROXY', 'nginx'],
    ['METRICS_TOKEN', 'short'],
    ['TOKEN_REQUESTS_PER_MINUTE', '0'],
    ['OUTBOUND_NETWORKS', 'x'],
    ['API_DOCS', 'yes'],
    ['OFFLINE_PAGES', 'no'],
    ['SECURITY_CONTACT', 'security@example.com'],
    ['LOG_LEVEL', 'verbose'],
  ])('says once, in words for operators, what %s must be', (name, value) => {
    const sms = name.startsWith('SMS_')
      ? { SMS_API_URL: 'https://sms.example', SMS_ACCOUNT_SID: 'x', SMS_AUTH_TOKEN: 'x', SMS_FROM: '+19075550100' }
      : {}
    expect(listFaults({ SECRET_KEY: production.SECRET_KEY, ...sms, [name]: value })).toEqual([
      expect.stringMatching(new RegExp(`^${name} must (be|have) `)),
    ])
  })

  test('requires a key in production', () => {
    const { SECRET_KEY: _, ...keyless } = production
    expect(listFaults(keyless)).toEqual([expect.stringMatching(/^SECRET_KEY is missing/)])
    expect(listFaults({ ...keyless, DEMO: '1' })).toEqual([])
  })

  test('refuses the same role as runtime and owner', () => {
    expect(listFaults({ ...production, DATABASE_OWNER_URL: production.DATABASE_URL })).toEqual([
      expect.stringMatching(/^DATABASE_OWNER_URL must be another role/),
    ])
  })
})

describe('a secret in a file', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'dishboard-secrets-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const put = (name: string, content: string) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }

  test('is read like the setting itself, without the newline at its end', () => {
    const values: Record<(typeof secretNames)[number], string> = {
      ...production,
      SECRET_KEY_PREVIOUS: `${'p'.repeat(32)},${'q'.repeat(32)}`,
      SMTP_URL: 'smtp://user:password@mail.example:587',
      SMS_AUTH_TOKEN: 'token',
      SECURITY_LOG_AUTHORIZATION: 'Bearer token',
      METRICS_TOKEN: 'm'.repeat(16),
    }
    const others = { SMS_API_URL: 'https://sms.example', SMS_ACCOUNT_SID: 'account', SMS_FROM: '+19075550100' }
    const files = secretNames.map((name) => [`${name}_FILE`, put(name, `${values[name]}\n`)])
    expect(readConfig({ ...others, ...Object.fromEntries(files) })).toEqual(readConfig({ ...others, ...values }))
  })

  test('is refused together with the setting', () => {
    expect(listFaults({ ...production, SECRET_KEY_FILE: put('key', 'k'.repeat(32)) })).toEqual([
      'SECRET_KEY_FILE and SECRET_KEY are both set: use one of them',
    ])
  })

  test('is an error if it cannot be read or is empty, which must not start the demo', () => {
    const { DATABASE_URL: _, ...rest } = production
    const missing = join(folder, 'missing')
    expect(listFaults({ ...rest, DATABASE_URL_FILE: missing })).toEqual([
      expect.stringMatching(/^DATABASE_URL_FILE cannot be read: ENOENT.*missing/),
    ])
    expect(listFaults({ ...rest, DATABASE_URL_FILE: folder })).toEqual([
      expect.stringMatching(/^DATABASE_URL_FILE cannot be read: EISDIR/),
    ])
    const empty = put('empty', '\n')
    expect(listFaults({ ...rest, DATABASE_URL_FILE: empty })).toEqual([`DATABASE_URL_FILE is ${empty}, which is empty`])
    expect(listFaults({ DATABASE_URL: production.DATABASE_URL, SECRET_KEY_FILE: missing })).toEqual([
      expect.stringMatching(/^SECRET_KEY_FILE cannot be read/),
    ])
  })

  test('is validated like the setting', () => {
    const { SECRET_KEY: _, ...rest } = production
    expect(listFaults({ ...rest, SECRET_KEY_FILE: put('short', 'short') })).toEqual([
      expect.stringMatching(/^SECRET_KEY must have at least 32 characters/),
    ])
  })
})
