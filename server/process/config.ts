import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config, SmsGateway } from '../platform/config.ts'

const flag = z.enum(['0', '1'], { error: 'must be 0 or 1' }).transform((value) => value === '1')

// A program that gets an address without a host calls this machine.
const hasHost = ({ hostname }: URL) => hostname !== ''
const url = (protocols: RegExp, example: string, isComplete: (address: URL) => boolean = hasHost) => {
  const error = `must be an address like ${example}`
  const isValid = (text: string) => {
    const address = URL.parse(text)
    return address !== null && protocols.test(address.protocol.slice(0, -1)) && isComplete(address)
  }
  return z.string().refine(isValid, error)
}
const postgresUrl = url(
  /^postgres(ql)?$/,
  'postgres://user:password@host/database',
  (address) => hasHost(address) && address.username !== '' && address.pathname.length > 1,
)
const httpUrl = url(/^https?$/, 'https://example.com/')

const isTileUrl = (text: string) =>
  text === 'none' ||
  (/^https?:\/\//.test(text) && ['{z}', '{x}', '{y}'].every((part) => text.includes(part)) && URL.canParse(text))
const tileUrl = (byDefault: string) =>
  z.string().refine(isTileUrl, 'must be none, or an address with {z}, {x} and {y} in it').default(byDefault)

const days = (byDefault: number) =>
  z.coerce.number({ error: 'must be a number of days, 1 to 36500' }).int().min(1).max(36_500).default(byDefault)

const isNetwork = (text: string) => {
  const [address = '', bits] = text.split('/')
  const family = isIP(address)
  return family !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32)))
}

/** Names that the library for proxy addresses knows. */
const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal']
const isProxy = (text: string) => isNetwork(text) || PROXY_NAMES.includes(text)

/** A value that is sent in a header, or compared with one. */
const headerText = () =>
  z.string().regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be one line of ASCII characters')

const parseList = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

// `npm run check` compares these settings with the table in the README.
const Settings = z.object({
  PORT: z.coerce.number({ error: 'must be a port number' }).int().min(0).max(65535).default(8080),
  WORK_PORT: z.coerce.number({ error: 'must be a port number' }).int().min(0).max(65535).optional(),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('.data'),
  SPOOL_MAX_MB: z.coerce.number({ error: 'must be a number of megabytes, 16 at least' }).int().min(16).default(1_024),
  DRAIN_SECONDS: z.coerce.number({ error: 'must be a number of seconds, 0 to 15' }).int().min(0).max(15).optional(),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_OWNER_URL: postgresUrl.optional(),
  DATABASE_CONNECTIONS: z.coerce.number({ error: 'must be a number from 5 to 200' }).int().min(5).max(200).default(13),
  DEMO: flag.optional(),
  DEMO_TERMINALS: z.coerce.number({ error: 'must be a number from 1 to 100000' }).int().min(1).max(100_000).default(60),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters; `openssl rand -base64 32` makes one').optional(),
  SECRET_KEY_PREVIOUS: z
    .string()
    .default('')
    .transform(parseList)
    .refine(
      (keys) => keys.every((key) => key.length >= 32),
      'must be keys of at least 32 characters, separated by commas',
    ),
  SMTP_URL: url(/^smtps?$/, 'smtp://user:password@host:587').optional(),
  MAIL_FROM: z.email({ error: 'must be an email address' }).optional(),
  SMS_API_URL: httpUrl.optional(),
  SMS_ACCOUNT_SID: z.string().optional(),
  SMS_AUTH_TOKEN: z.string().optional(),
  SMS_FROM: z
    .string()
    .regex(/^\+\d{8,15}$/, 'must be a number like +19075550100')
    .optional(),
  BRAND_DIR: z.string().optional(),
  MARKETING_URL: httpUrl.default('https://www.starlink.com/'),
  TILES_LIGHT_URL: tileUrl('https://tile.openstreetmap.org/{z}/{x}/{y}.png'),
  TILES_DARK_URL: tileUrl('https://basemaps.cartocdn.com/dark_all/{z}/{x}/{y}.png'),
  TILES_ATTRIBUTION: z
    .string()
    .max(200, 'must have at most 200 characters')
    .default('© OpenStreetMap contributors, © CARTO'),
  SECURITY_LOG: z
    .union(
      [
        z.enum(['none', 'stdout']),
        url(/^(syslogs?|https?)$/, 'syslog://host:514, syslogs://host:6514 or https://host/path'),
      ],
      { error: 'must be none, stdout, or an address like syslog://host:514, syslogs://host:6514 or https://host/path' },
    )
    .default('none'),
  SECURITY_LOG_AUTHORIZATION: headerText().optional(),
  TICKET_RETENTION_DAYS: days(1_095),
  MESSAGE_RETENTION_DAYS: days(90),
  SECURITY_EVENT_RETENTION_DAYS: days(365),
  TRUST_PROXY: z
    .string()
    .default('')
    .transform(parseList)
    .refine((proxies) => proxies.every(isProxy), 'must be addresses or networks like 10.0.0.5, separated by commas'),
  METRICS_TOKEN: headerText().min(16, 'must have at least 16 characters').optional(),
  TOKEN_REQUESTS_PER_MINUTE: z.coerce
    .number({ error: 'must be a number from 1 to 100000' })
    .int()
    .min(1)
    .max(100_000)
    .default(600),
  OUTBOUND_NETWORKS: z
    .string()
    .default('')
    .transform(parseList)
    .refine(
      (networks) => networks.every(isNetwork),
      'must be addresses or networks like 10.1.2.0/24, separated by commas',
    ),
  API_DOCS: flag.default(true),
  OFFLINE_PAGES: flag.default(true),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(https:\/\/|mailto:|tel:)\S+$/, 'must be an address like mailto:security@example.com')
    .optional(),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'must be trace, debug, info, warn, error, fatal or silent',
    })
    .optional(),
})

export type SettingName = keyof typeof Settings.shape
export const settingNames = Object.keys(Settings.shape) as SettingName[]

/** Settings that are secret or contain a password. Each can also be given as a file path: `SECRET_KEY_FILE`. */
export const secretNames = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'SMTP_URL',
  'SMS_AUTH_TOKEN',
  'SECURITY_LOG_AUTHORIZATION',
  'METRICS_TOKEN',
] as const satisfies readonly SettingName[]

const getValue = (environment: NodeJS.ProcessEnv, name: string) => environment[name]?.trim() || undefined

/** The secrets that are read from files. */
export const listSecretFiles = (environment: NodeJS.ProcessEnv) =>
  secretNames.filter((name) => getValue(environment, `${name}_FILE`) !== undefined)

const readFile = (setting: string, path: string) => {
  try {
    const value = readFileSync(path, 'utf8').trim()
    return value === '' ? { fault: `${setting} is ${path}, which is empty` } : { value }
  } catch (error) {
    return { fault: `${setting} cannot be read: ${(error as Error).message}` }
  }
}

const readSecretFiles = (environment: NodeJS.ProcessEnv) => {
  const given: Partial<Record<SettingName, string>> = {}
  const faults: string[] = []
  for (const name of listSecretFiles(environment)) {
    const setting = `${name}_FILE`
    const { value, fault } = readFile(setting, getValue(environment, setting) as string)
    if (getValue(environment, name) !== undefined) faults.push(`${setting} and ${name} are both set: use one of them`)
    else if (fault !== undefined) faults.push(fault)
    else given[name] = value
  }
  return { given, faults }
}

const smsNames = ['SMS_API_URL', 'SMS_ACCOUNT_SID', 'SMS_AUTH_TOKEN', 'SMS_FROM'] as const

/** The gateway needs all of its settings or none. */
const findSmsFaults = (given: Partial<Record<SettingName, string | undefined>>) => {
  const missing = smsNames.filter((name) => given[name] === undefined)
  if (missing.length === 0 || missing.length === smsNames.length) return []
  return missing.map((name) => `${name} is missing: texts need all of ${smsNames.join(', ')}`)
}

const toSmsGateway = (settings: z.output<typeof Settings>): SmsGateway | undefined => {
  const { SMS_API_URL, SMS_ACCOUNT_SID, SMS_AUTH_TOKEN, SMS_FROM } = settings
  if (!SMS_API_URL || !SMS_ACCOUNT_SID || !SMS_AUTH_TOKEN || !SMS_FROM) return undefined
  return { apiUrl: SMS_API_URL, accountSid: SMS_ACCOUNT_SID, authToken: SMS_AUTH_TOKEN, from: SMS_FROM }
}

const addressOrNone = (address: string) => (address === 'none' ? undefined : address)

export class ConfigError extends Error {}

/** Reads every setting before it fails, so that all errors are reported together. */
export const readConfig = (environment: NodeJS.ProcessEnv): Config => {
  const files = readSecretFiles(environment)
  const given: Partial<Record<SettingName, string | undefined>> = {
    ...Object.fromEntries(settingNames.map((name) => [name, getValue(environment, name)])),
    ...files.given,
  }
  const parsed = Settings.safeParse(given)
  const issues = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
  const faults = [...files.faults, ...issues]
  const settings = parsed.data
  const demo = given.DEMO === undefined ? given.DATABASE_URL === undefined : given.DEMO === '1'
  const hasKey = given.SECRET_KEY !== undefined || listSecretFiles(environment).includes('SECRET_KEY')
  if (given.DATABASE_URL !== undefined && !demo && !hasKey)
    faults.push('SECRET_KEY is missing: set it to the output of `openssl rand -base64 32` and keep it')
  if (given.DATABASE_URL && given.DATABASE_OWNER_URL && given.DATABASE_URL === given.DATABASE_OWNER_URL)
    faults.push('DATABASE_OWNER_URL must be another role than DATABASE_URL: the runtime must not own its tables')
  faults.push(...findSmsFaults(given))
  if (faults.length > 0 || !settings) throw new ConfigError(faults.join('\n'))
  return {
    port: settings.PORT,
    workPort: settings.WORK_PORT,
    host: settings.HOST,
    dataDir: settings.DATA_DIR,
    drainMs: (settings.DRAIN_SECONDS ?? (demo ? 0 : 5)) * 1000,
    spoolMaxBytes: settings.SPOOL_MAX_MB * 1024 ** 2,
    databaseUrl: settings.DATABASE_URL,
    databaseOwnerUrl: settings.DATABASE_OWNER_URL,
    databaseConnections: settings.DATABASE_CONNECTIONS,
    demo,
    demoTerminals: settings.DEMO_TERMINALS,
    secretKey: settings.SECRET_KEY,
    previousSecretKeys: settings.SECRET_KEY_PREVIOUS,
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    sms: toSmsGateway(settings),
    brandDir: settings.BRAND_DIR ?? join(settings.DATA_DIR, 'brands'),
    marketingUrl: settings.MARKETING_URL,
    mapTiles: {
      light: addressOrNone(settings.TILES_LIGHT_URL),
      dark: addressOrNone(settings.TILES_DARK_URL),
      attribution: settings.TILES_ATTRIBUTION,
    },
    securityLog: { target: settings.SECURITY_LOG, authorization: settings.SECURITY_LOG_AUTHORIZATION },
    retention: {
      ticketRetentionDays: settings.TICKET_RETENTION_DAYS,
      messageRetentionDays: settings.MESSAGE_RETENTION_DAYS,
      securityEventRetentionDays: settings.SECURITY_EVENT_RETENTION_DAYS,
    },
    trustedProxies: settings.TRUST_PROXY,
    metricsToken: settings.METRICS_TOKEN,
    tokenRequestsPerMinute: settings.TOKEN_REQUESTS_PER_MINUTE,
    outboundNetworks: settings.OUTBOUND_NETWORKS,
    apiDocs: settings.API_DOCS,
    offlinePages: settings.OFFLINE_PAGES,
    securityContact: settings.SECURITY_CONTACT,
    logLevel: settings.LOG_LEVEL ?? (demo ? 'warn' : 'info'),
  }
}
