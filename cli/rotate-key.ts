import { formatSome } from '#contract/format/lists.ts'
import { anchorChain } from '#server/audit/anchor-chain.ts'
import { reencryptColumn } from '#server/platform/sealed-columns.ts'
import { readConfig } from '#server/process/config.ts'
import type { Installation } from '#server/process/installation.ts'
import { inspectSealedValues, listTenantIds, sealedColumns } from '#server/process/sealed-columns.ts'
import { CommandError, defineCommand } from './command.ts'
import { withInstallation } from './with-installation.ts'

const MAX_LISTED = 10

const refuseUnreadable = async (installation: Installation) => {
  const { unreadable } = await inspectSealedValues(installation)
  if (unreadable.length === 0) return
  throw new CommandError(
    `nothing was changed, because neither SECRET_KEY nor SECRET_KEY_PREVIOUS decrypts ${formatSome(unreadable, MAX_LISTED)}. Add the key they were encrypted with to SECRET_KEY_PREVIOUS, or connect those vendor accounts again; messages expire by themselves.`,
  )
}

const reencryptAll = async (
  { database, secrets }: Installation,
  tenantIds: string[],
  print: (line: string) => void,
) => {
  for (const column of sealedColumns) {
    let count = 0
    for (const tenantId of tenantIds) count += await reencryptColumn({ database, secrets, tenantId, column })
    print(`Re-encrypted in ${column.table}.${column.column}: ${count}.`)
  }
}

export const rotateKey = defineCommand({
  name: 'rotate-key',
  summary: 'Encrypt everything with SECRET_KEY that a key of SECRET_KEY_PREVIOUS encrypted, and sign the editing logs',
  options: {},
  run: (_, { environment, print }) =>
    withInstallation(environment, async (installation) => {
      await refuseUnreadable(installation)
      const tenantIds = await listTenantIds(installation)
      await reencryptAll(installation, tenantIds, print)
      const { dataDir } = readConfig(environment)
      let altered = 0
      for (const tenantId of tenantIds) {
        const fault = await anchorChain(installation.database, tenantId, { now: new Date(), dataDir })
        if (!fault) continue
        altered++
        print(`The editing log of ${tenantId} is not signed with the new key. ${fault.problem}`)
      }
      print(`Editing logs signed with SECRET_KEY: ${tenantIds.length - altered} of ${tenantIds.length}.`)
      return altered === 0 ? 0 : 1
    }),
})
