import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { configureTenant, TenantConfigurationFile } from '#server/tenants/configure-tenant.ts'
import { TenantId } from '#server/tenants/create-tenant.ts'
import { CommandError, defineCommand, UsageError } from './command.ts'
import { describeIssues } from './describe-issues.ts'
import { performer, requireTenant, withInstallation } from './with-installation.ts'

const readJson = async (path: string): Promise<unknown> => {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new CommandError(`${path} cannot be read: ${error.message}`)
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${path} is not valid JSON: ${(error as Error).message}`)
  }
}

const readSettings = async (path: string) => {
  const parsed = z.safeDecode(TenantConfigurationFile, (await readJson(path)) as never)
  if (parsed.success) return parsed.data
  throw new UsageError(`${path}: ${describeIssues(parsed.error.issues)}`)
}

export const tenantConfigure = defineCommand({
  name: 'tenant configure',
  summary: 'Set a tenant’s brand, contacts, widgets and the FAQ of its assistant',
  options: {
    tenant: { value: 'ID', help: 'the tenant', schema: TenantId },
    file: {
      value: 'FILE',
      help: 'JSON with config, faq and widgetOrigins; replaces the current settings',
      schema: z.string(),
    },
  },
  run: async ({ tenant, file }, { environment, print }) => {
    const settings = await readSettings(file)
    return withInstallation(environment, async (installation) => {
      await requireTenant(installation, tenant)
      await installation.database.transaction({ tenantId: tenant }, (db) =>
        configureTenant(db, tenant, { performer, now: new Date() }, settings),
      )
      print(`Configured tenant ${tenant}. Open pages show it after a reload.`)
      return 0
    })
  },
})
