import * as z from 'zod/mini'
import { verifyChain } from '#server/audit/verify.ts'
import { TenantId } from '#server/tenants/create-tenant.ts'
import { defineCommand } from './command.ts'
import { requireTenant, withInstallation } from './with-installation.ts'

const headMessage = 'please enter the entry number and its hash as in the mail: 42:9f86d0…'

const Head = z.pipe(
  z.string().check(z.regex(/^\d{1,15}:[0-9a-f]{64}$/i, headMessage)),
  z.transform((text) => {
    const [seq, hash] = text.split(':') as [string, string]
    return { seq: Number(seq), hash: Buffer.from(hash, 'hex') }
  }),
)

export const auditVerify = defineCommand({
  name: 'audit verify',
  summary: 'Verify that nobody has altered a tenant’s editing log; report the first altered entry',
  options: {
    tenant: { value: 'ID', help: 'the tenant', schema: TenantId },
    head: {
      value: 'ENTRY:HASH',
      help: 'also compare with an entry from a mail to administrators',
      schema: Head,
      isOptional: true,
    },
  },
  run: ({ tenant, head }, { environment, print }) =>
    withInstallation(environment, async (installation) => {
      await requireTenant(installation, tenant)
      const found = await installation.database.transaction({ tenantId: tenant }, (db) =>
        verifyChain(db, tenant, head ? [head] : []),
      )
      if (found.fault) print(`Broken at entry ${found.fault.seq}. ${found.fault.problem}`)
      else if (found.head)
        print(`Intact: ${found.entries} entries, up to ${found.head.seq}:${found.head.hash.toString('hex')}`)
      else print('Intact: there are no entries yet.')
      return found.fault ? 1 : 0
    }),
})
