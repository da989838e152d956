import * as z from 'zod/mini'
import { writeBackup } from '#server/backup/write-backup.ts'
import { defineCommand } from './command.ts'
import { version } from './version.ts'
import { requireOwner, withInstallation } from './with-installation.ts'

export const backup = defineCommand({
  name: 'backup',
  summary: 'Write every tenant’s rows, as of one moment, into one new file; beside a running server too',
  options: { file: { value: 'FILE', help: 'the file to write', schema: z.string() } },
  operand: 'file',
  run: ({ file }, { environment, print }) =>
    withInstallation(
      environment,
      async (installation) => {
        const owner = requireOwner(installation)
        const { secrets } = installation
        const { tenants, rows } = await writeBackup(file, { owner, secrets, version, now: () => new Date() })
        print(`Wrote ${rows} rows of ${tenants.length} tenants to ${file}. Keep SECRET_KEY too, elsewhere.`)
        return 0
      },
      { skipMigrations: true },
    ),
})
