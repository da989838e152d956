import { open } from 'node:fs/promises'
import * as z from 'zod/mini'
import { readAnchorFile } from '#server/audit/anchor-file.ts'
import { verifyChain } from '#server/audit/verify.ts'
import { verifyExport } from '#server/audit/verify-export.ts'
import { readConfig } from '#server/process/config.ts'
import { TenantId } from '#server/tenants/create-tenant.ts'
import { CommandError, defineCommand, UsageError } from './command.ts'
import { requireTenant, withInstallation } from './with-installation.ts'

const headMessage = 'please enter the entry number and its hash as in the mail: 42:9f86d0…'

const Head = z.pipe(
  z.string().check(z.regex(/^\d{1,15}:[0-9a-f]{64}$/i, headMessage)),
  z.transform((text) => {
    const [seq, hash] = text.split(':') as [string, string]
    return { seq: Number(seq), hash: Buffer.from(hash, 'hex') }
  }),
)
type Head = z.output<typeof Head>

const verifyTenant = (environment: NodeJS.ProcessEnv, tenant: string, heads: Head[], print: (line: string) => void) =>
  withInstallation(environment, async (installation) => {
    await requireTenant(installation, tenant)
    const anchors = await readAnchorFile(readConfig(environment).dataDir, tenant)
    const found = await installation.database.transaction({ tenantId: tenant }, (db) =>
      verifyChain(db, tenant, [...anchors, ...heads]),
    )
    if (found.fault) print(`Broken at entry ${found.fault.seq}. ${found.fault.problem}`)
    else if (found.head)
      print(`Intact: ${found.entries} entries, up to ${found.head.seq}:${found.head.hash.toString('hex')}`)
    else print('Intact: there are no entries yet.')
    return found.fault ? 1 : 0
  })

const verifyFile = async (path: string, keyId: string | undefined, print: (line: string) => void) => {
  const file = await open(path).catch((error: Error) => {
    throw new CommandError(`${path} cannot be read: ${error.message}`)
  })
  const { fault, tenant, entries, signed } = await verifyExport(file.readLines(), keyId)
  if (fault || !signed) {
    print(`Broken. ${fault}`)
    return 1
  }
  print(`Intact: ${entries} entries of ${tenant}, signed on ${signed.at.toISOString()} with the key ${signed.keyId}.`)
  if (!keyId) print('Compare the id of the key with the one that the operator publishes, or add --key ID.')
  return 0
}

/** An export is verified without settings, database or key. */
export const auditVerify = defineCommand({
  name: 'audit verify',
  summary: 'Verify that nobody has altered a tenant’s editing log, or an export of it; report the first altered entry',
  options: {
    tenant: { value: 'ID', help: 'the tenant', schema: TenantId, isOptional: true },
    head: {
      value: 'ENTRY:HASH',
      help: 'also compare with an entry from a mail to administrators',
      schema: Head,
      isOptional: true,
    },
    file: { value: 'FILE', help: 'an export instead of a tenant', schema: z.string(), isOptional: true },
    key: {
      value: 'ID',
      help: 'with --file: the id of the key that must have signed it',
      schema: z.string().check(z.regex(/^[0-9a-f]{32}$/, 'please enter the 32 characters of the id')),
      isOptional: true,
    },
  },
  run: ({ tenant, head, file, key }, { environment, print }) => {
    if ((tenant === undefined) === (file === undefined))
      throw new UsageError('audit verify: give either --tenant or --file')
    return file === undefined
      ? verifyTenant(environment, tenant as string, head ? [head] : [], print)
      : verifyFile(file, key, print)
  },
})
