import { sql } from 'kysely'
import * as z from 'zod/mini'
import { ApiError } from '#contract/errors.ts'
import type { Rule, SsoSettings } from '#contract/single-sign-on.ts'
import { SsoChange } from '#contract/single-sign-on.ts'
import type { Db } from '#server/platform/database/database.ts'
import { readConfig } from '#server/process/config.ts'
import { recordSecurityEvent } from '#server/security-events/record.ts'
import { changeSso, listAdministratorsForSso } from '#server/single-sign-on/change-settings.ts'
import { findSettings } from '#server/single-sign-on/connection.ts'
import { testConnection } from '#server/single-sign-on/test-connection.ts'
import { TenantId } from '#server/tenants/create-tenant.ts'
import { type CommandContext, CommandError, defineCommand, UsageError } from './command.ts'
import { describeIssues } from './describe-issues.ts'
import { performer, requireTenant, withInstallation } from './with-installation.ts'

const tenant = { value: 'ID', help: 'the tenant', schema: TenantId } as const
const text = (value: string, help: string) => ({ value, help, schema: z.string(), isOptional: true }) as const
const YesOrNo = z.pipe(
  z.enum(['yes', 'no'], 'yes or no'),
  z.transform((word) => word === 'yes'),
)
const yesOrNo = (help: string) => ({ value: 'yes|no', help, schema: YesOrNo, isOptional: true }) as const

const DEFAULTS = {
  issuer: '',
  clientId: '',
  scopes: 'openid email profile offline_access',
  buttonLabel: 'Single Sign-On',
  rules: [],
  recheckMinutes: 15,
  graceMinutes: 240,
  isEnabled: false,
  isOnly: false,
}

/** The option that sets each field. */
const options = {
  issuer: 'issuer',
  clientId: 'client-id',
  clientSecret: 'client-secret',
  scopes: 'scopes',
  rules: 'rules',
  buttonLabel: 'button',
  recheckMinutes: 'recheck-minutes',
  graceMinutes: 'grace-minutes',
  isEnabled: 'enabled',
  isOnly: 'only',
  breakGlass: 'break-glass',
}
const toOption = (field: string) => (options as Record<string, string>)[field] ?? field

interface Change extends Partial<Omit<SsoSettings, 'recheckMinutes' | 'graceMinutes'>> {
  clientSecret?: string | undefined
  recheckMinutes?: string | number | undefined
  graceMinutes?: string | number | undefined
  /** Email addresses of administrators. */
  breakGlass?: string[] | undefined
}

const toIds = (administrators: Awaited<ReturnType<typeof listAdministratorsForSso>>, emails: string[] | undefined) => {
  if (!emails) return administrators.filter(({ is_break_glass }) => is_break_glass).map(({ id }) => String(id))
  return emails.map((email) => {
    const found = administrators.find((each) => each.email.toLowerCase() === email.toLowerCase())
    if (!found) throw new UsageError(`--break-glass: there is no administrator ${email}`)
    return String(found.id)
  })
}

const parseChange = (given: object) => {
  const parsed = z.safeDecode(SsoChange, given as z.input<typeof SsoChange>)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map((issue) => ({
    ...issue,
    path: [`--${toOption(String(issue.path[0]))}`, ...issue.path.slice(1)],
  }))
  throw new UsageError(describeIssues(issues))
}

/** The server names the field of a refused value before a colon. */
const toUsageError = (error: unknown) => {
  const [, field, fault] = (error instanceof ApiError && /^(\w+): (.+)$/.exec(error.message)) || []
  return field && fault ? new UsageError(`--${toOption(field)}: ${fault}`) : error
}

const requireSettings = <T>(settings: T | undefined, tenantId: string): T => {
  if (settings) return settings
  throw new CommandError(`tenant ${tenantId} has no single sign-on. Set it up with sso set`)
}

/** Changes the given settings and keeps the others. */
const change = async (
  tenantId: string,
  given: Change,
  { environment, print }: CommandContext,
  { isNewAllowed = false } = {},
) =>
  withInstallation(environment, async (installation) => {
    await requireTenant(installation, tenantId)
    const services = { secrets: installation.secrets, config: readConfig(environment) }
    const fields = await installation.database.transaction({ tenantId }, async (db) => {
      await sql`select from users where tenant_id = ${tenantId} order by id for update`.execute(db)
      const before = await findSettings(db, tenantId)
      if (!isNewAllowed) requireSettings(before, tenantId)
      const { breakGlass, clientSecret, ...others } = given
      const defined = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined))
      const now = new Date()
      const entered = parseChange({
        ...DEFAULTS,
        ...before,
        ...defined,
        clientSecret: clientSecret ?? null,
        breakGlass: toIds(await listAdministratorsForSso(db, tenantId), breakGlass),
      })
      const changed = await changeSso(db, services, tenantId, { performer, now }, entered).catch((error) => {
        throw toUsageError(error)
      })
      if (changed.length > 0)
        await recordSecurityEvent(db, tenantId, now, {
          kind: 'settings_changed',
          account: '',
          actor: performer,
          details: { fields: `single sign-on: ${changed.join(', ')}` },
        })
      return changed
    })
    print(fields.length === 0 ? 'Nothing has changed.' : `Changed: ${fields.map(toOption).join(', ')}.`)
    return 0
  })

const read = <T>(tenantId: string, { environment }: CommandContext, work: (db: Db) => Promise<T>) =>
  withInstallation(environment, async (installation) => {
    await requireTenant(installation, tenantId)
    return installation.database.transaction({ tenantId }, work)
  })

const describeUse = ({ isEnabled, isOnly }: SsoSettings) => {
  if (!isEnabled) return 'off'
  return isOnly ? 'on, the only way to sign in' : 'on, beside passwords'
}

export const ssoShow = defineCommand({
  name: 'sso show',
  summary: 'Show the single sign-on of a tenant',
  options: { tenant },
  run: async ({ tenant: tenantId }, context) => {
    const { found, administrators } = await read(tenantId, context, async (db) => ({
      found: await findSettings(db, tenantId),
      administrators: await listAdministratorsForSso(db, tenantId),
    }))
    const settings = requireSettings(found, tenantId)
    const breakGlass = administrators.filter(({ is_break_glass }) => is_break_glass).map(({ email }) => email)
    context.print(
      [
        `Single sign-on of tenant ${tenantId}:`,
        `  use          ${describeUse(settings)}`,
        `  issuer       ${settings.issuer}`,
        `  client       ${settings.clientId}`,
        `  scopes       ${settings.scopes}`,
        `  button       ${settings.buttonLabel}`,
        `  rules        ${settings.rules.length}`,
        `  recheck      ${settings.recheckMinutes} min`,
        `  grace        ${settings.graceMinutes} min`,
        `  break-glass  ${breakGlass.join(', ') || 'nobody'}`,
      ].join('\n'),
    )
    return 0
  },
})

export const ssoSet = defineCommand({
  name: 'sso set',
  summary: 'Set up single sign-on for a tenant, or change what is given',
  options: {
    tenant,
    issuer: text('URL', 'the address of the OpenID provider'),
    'client-id': text('ID', 'the client at the provider'),
    'client-secret': { ...text('SECRET', 'its secret; - reads it from standard input'), isSecret: true },
    scopes: text('SCOPES', 'separated by spaces, openid among them'),
    button: text('TEXT', 'the text of the button on the sign-in page'),
    'recheck-minutes': text('N', 'minutes between two questions whether a user may still sign in; 1 to 1440'),
    'grace-minutes': text('N', 'minutes that the provider may be unreachable; 0 to 10080'),
    'break-glass': text('EMAILS', 'administrators who may always use a password, separated by commas'),
    enabled: yesOrNo('whether users may sign in with it'),
    only: yesOrNo('whether it is the only way to sign in'),
  },
  run: ({ tenant: tenantId, ...given }, context) =>
    change(
      tenantId,
      {
        issuer: given.issuer,
        clientId: given['client-id'],
        clientSecret: given['client-secret'],
        scopes: given.scopes,
        buttonLabel: given.button,
        isEnabled: given.enabled,
        isOnly: given.only,
        recheckMinutes: given['recheck-minutes'],
        graceMinutes: given['grace-minutes'],
        breakGlass: given['break-glass']?.split(',').map((email) => email.trim()),
      } as Change,
      context,
      { isNewAllowed: true },
    ),
})

export const ssoTest = defineCommand({
  name: 'sso test',
  summary: 'Test whether the provider of a tenant can be reached, and what it offers',
  options: { tenant },
  run: async ({ tenant: tenantId }, context) => {
    const settings = requireSettings(await read(tenantId, context, (db) => findSettings(db, tenantId)), tenantId)
    const services = { config: readConfig(context.environment) }
    const { isUsable, facts } = await testConnection({ services, log: { warn: () => {} } }, settings)
    context.print(facts.map(({ isFine, text: fact }) => `${isFine ? 'OK' : 'Note'}: ${fact}`).join('\n'))
    return isUsable ? 0 : 1
  },
})

const parseRules = (given: string) => {
  try {
    return JSON.parse(given) as Rule[]
  } catch {
    throw new UsageError('--rules: this is not JSON')
  }
}

export const ssoRules = defineCommand({
  name: 'sso rules',
  summary: 'Print the rules of single sign-on as JSON, or replace them',
  options: { tenant, rules: { ...text('JSON', 'the new rules; - reads them from standard input'), isSecret: true } },
  run: async ({ tenant: tenantId, rules }, context) => {
    if (rules !== undefined) return change(tenantId, { rules: parseRules(rules) }, context)
    const settings = await read(tenantId, context, (db) => findSettings(db, tenantId))
    context.print(JSON.stringify(settings?.rules ?? [], null, 2))
    return 0
  },
})

export const ssoDisable = defineCommand({
  name: 'sso disable',
  summary: 'Switch single sign-on off, so that everybody signs in with passwords again',
  options: { tenant },
  run: ({ tenant: tenantId }, context) => change(tenantId, { isEnabled: false, isOnly: false }, context),
})
