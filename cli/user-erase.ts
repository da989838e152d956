import * as z from 'zod/mini'
import { Email } from '#contract/credentials.ts'
import { erasePerson } from '#server/personal-data/erase.ts'
import { TenantId } from '#server/tenants/create-tenant.ts'
import { defineCommand, UsageError } from './command.ts'
import { performer, requireTenant, withInstallation } from './with-installation.ts'

export const userErase = defineCommand({
  name: 'user erase',
  summary: 'Erase everything that is stored about a person, with or without an account; cannot be undone',
  options: {
    tenant: { value: 'ID', help: 'the tenant', schema: TenantId },
    email: { value: 'E', help: 'an email address that the person has or had', schema: Email },
    confirm: { value: 'E', help: 'the same address again', schema: z.string() },
  },
  run: ({ tenant: tenantId, email, confirm }, { environment, print }) =>
    withInstallation(environment, async (installation) => {
      await requireTenant(installation, tenantId)
      if (confirm !== email) throw new UsageError('--confirm: please repeat the address')
      const { label, accounts, plainEntries } = await installation.database.transaction({ tenantId }, (db) =>
        erasePerson(db, tenantId, email, { performer, now: new Date() }),
      )
      print(
        `Erased; ${accounts === 1 ? '1 account was' : `${accounts} accounts were`} deleted. Entries of the editing log name "${label}".`,
      )
      if (plainEntries > 0)
        print(
          `${plainEntries} entries from before the log held pseudonyms still contain the address; see docs/operating.md.`,
        )
      print('Backups made until now still contain the person.')
      return 0
    }),
})
