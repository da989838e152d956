import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { configureTenant, TenantSettingsFile } from '#server/tenants/configure-tenant.ts'
import { TenantId } from '#server/tenants/create-tenant.ts'
import { CommandProblem, defineCommand, UsageProblem } from './command.ts'
import { performer, requireTenant, withInstallation } from './with-installation.ts'

const readJson = async (path: string): Promise<unknown> => {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new CommandProblem(`${path} cannot be read: ${error.message}`)
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageProblem(`${path} is no JSON: ${(error as Error).message}`)
  }
}

const readSettings = async (path: string) => {
  const parsed = z.safeDecode(TenantSettingsFile, (await readJson(path)) as never)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map((issue) => [issue.path.join('.'), issue.message].filter(Boolean).join(': '))
  throw new UsageProblem(`${path}: ${faults.join('; ')}`)
}

export const tenantConfigure = defineCommand({
  name: 'tenant configure',
  summary: 'Set a tenant’s brand, contacts, widgets, and what its assistant answers from',
  options: {
    tenant: { value: 'ID', help: 'the tenant', schema: TenantId },
    file: { value: 'FILE', help: 'JSON with config, faq and widgetOrigins; replaces what is set', schema: z.string() },
  },
  run: async ({ tenant, file }, { environment, print }) => {
    const settings = await readSettings(file)
    return withInstallation(environment, async (installation) => {
      await requireTenant(installation, tenant)
      await installation.database.transaction({ tenantId: tenant }, (db) =>
        configureTenant(db, tenant, { performer, now: new Date() }, settings),
      )
      print(`Configured tenant ${tenant}. Pages show it when they are loaded again.`)
      return 0
    })
  },
})
