import * as z from 'zod/mini'
import { CreateServiceToken, MAX_TOKEN_DAYS } from '#contract/api-tokens.ts'
import { serviceScopeCodes } from '#contract/scopes.ts'
import { addServiceToken } from '#server/api-tokens/create-token.ts'
import { TenantId } from '#server/tenants/create-tenant.ts'
import { defineCommand } from './command.ts'
import { performer, requireTenant, withInstallation } from './with-installation.ts'

const { name, scopes, expiresInDays, networks, role, group } = CreateServiceToken.shape

const Days = z.pipe(
  z.string(),
  z.transform((text, context) => {
    const parsed = z.safeDecode(expiresInDays, text)
    if (parsed.success) return parsed.data
    context.issues.push({ code: 'custom', input: text, message: parsed.error.issues[0]?.message ?? '' })
    return z.NEVER
  }),
)

const splitList = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => text.split(',').map((item) => item.trim())),
    ),
    schema as z.ZodMiniType<z.output<Schema>, string[]>,
  )

export const tokenCreate = defineCommand({
  name: 'token create',
  summary: 'Create an API token of a service, and print it once',
  options: {
    tenant: { value: 'ID', help: 'the tenant', schema: TenantId },
    name: { value: 'N', help: 'what uses it; a second token of the same name shares its permissions', schema: name },
    scopes: { value: 'S,…', help: `of ${serviceScopeCodes.join(', ')}`, schema: splitList(scopes) },
    role: {
      value: 'admin|user',
      help: 'admin sees all lines of the tenant, user only those of the group',
      schema: role,
    },
    group: { value: 'G', help: 'customer group of the service', schema: group },
    days: { value: 'N', help: `how long it is valid, at most ${MAX_TOKEN_DAYS}`, schema: Days },
    networks: {
      value: 'NET,…',
      help: 'addresses it may be used from, such as 192.0.2.0/24; everywhere unless given',
      schema: splitList(networks),
      isOptional: true,
    },
  },
  run: ({ tenant: tenantId, days, ...given }, { environment, print }) =>
    withInstallation(environment, async (installation) => {
      await requireTenant(installation, tenantId)
      const input = { ...given, networks: given.networks ?? [], expiresInDays: days }
      const { token } = await installation.database.transaction({ tenantId }, (db) =>
        addServiceToken(db, tenantId, { performer, now: new Date() }, input),
      )
      print(token)
      return 0
    }),
})
