import * as z from 'zod/mini'
import { formatCounted } from '#contract/format/numbers.ts'
import { adoptChains } from '#server/audit/anchor-chain.ts'
import { restoreBackup } from '#server/backup/restore-backup.ts'
import { readConfig } from '#server/process/config.ts'
import { createProgress, describeContent, jobsOption } from './backup-progress.ts'
import { defineCommand } from './command.ts'
import { requireOwner, withInstallation } from './with-installation.ts'

const otherKey =
  'The backup was made with another SECRET_KEY: add it to SECRET_KEY_PREVIOUS, or reconnect the vendor accounts.'

export const restore = defineCommand({
  name: 'restore',
  summary: 'Restore a backup into an empty database, completely or not at all, and apply pending migrations',
  options: { file: { value: 'FILE', help: 'a file written by backup', schema: z.string() }, jobs: jobsOption },
  operand: 'file',
  run: ({ file, jobs }, { environment, print }) =>
    withInstallation(
      environment,
      async (installation) => {
        const owner = requireOwner(installation)
        const { runtimeRole, secrets } = installation
        const { dataDir, brandDir } = readConfig(environment)
        const { header, rows, brandFiles, hasSameKey, migrations } = await restoreBackup(file, {
          owner,
          runtimeRole,
          secrets,
          brandDir,
          ...(jobs !== undefined && { jobs: Number(jobs) }),
          onProgress: createProgress('restored'),
        })
        print(`Restored ${describeContent(rows, brandFiles, header.tenants.length)}, as of ${header.madeAt}.`)
        if (!header.hasTelemetry) print('The backup has no telemetry: charts begin anew.')
        const problems = await adoptChains(installation.database, { now: new Date(), dataDir })
        for (const problem of problems) print(problem)
        if (problems.length === 0) print('Each tenant’s editing log is intact.')
        if (migrations.length > 0)
          print(`Applied ${formatCounted(migrations.length, 'migration')} since version ${header.version}.`)
        if (!hasSameKey) print(otherKey)
        return problems.length === 0 ? 0 : 1
      },
      { skipMigrations: true },
    ),
})
