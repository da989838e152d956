import * as z from 'zod/mini'
import { exportChain } from '#server/audit/export.ts'
import { getCurrentKey } from '#server/audit/keys.ts'
import { TenantId } from '#server/tenants/create-tenant.ts'
import { defineCommand } from './command.ts'
import { createFile } from './create-file.ts'
import { requireTenant, withInstallation } from './with-installation.ts'

export const auditExport = defineCommand({
  name: 'audit export',
  summary: 'Write a tenant’s editing log to a file that a third party can verify, with `audit verify --file`',
  options: {
    tenant: { value: 'ID', help: 'the tenant', schema: TenantId },
    file: { value: 'FILE', help: 'the file to create', schema: z.string() },
  },
  operand: 'file',
  run: ({ tenant, file }, { environment, print }) =>
    withInstallation(environment, async (installation) => {
      await requireTenant(installation, tenant)
      const target = await createFile(file)
      try {
        for await (const line of exportChain(installation.database, tenant, new Date())) await target.write(`${line}\n`)
      } finally {
        await target.close()
      }
      print(`Exported the editing log of ${tenant} to ${file}.`)
      print(`Publish the id of the key that signed it: ${getCurrentKey()?.id}`)
      return 0
    }),
})
