import * as z from 'zod/mini'
import { restoreBackup } from '#server/backup/restore-backup.ts'
import { defineCommand } from './command.ts'
import { requireOwner, withInstallation } from './with-installation.ts'

const otherKey =
  'It was made with another SECRET_KEY: connect the vendor accounts again, or restore with the key of that time.'

export const restore = defineCommand({
  name: 'restore',
  summary: 'Put a backup into an empty database, all of it or nothing, and bring it to this version',
  options: { file: { value: 'FILE', help: 'a file that backup wrote', schema: z.string() } },
  operand: 'file',
  run: ({ file }, { environment, print }) =>
    withInstallation(
      environment,
      async (installation) => {
        const owner = requireOwner(installation)
        const { runtimeRole, secrets } = installation
        const { header, rows, hasSameKey, migrations } = await restoreBackup(file, { owner, runtimeRole, secrets })
        print(`Restored ${rows} rows of ${header.tenants.length} tenants, as of ${header.madeAt}.`)
        print('Each tenant’s editing log is intact.')
        if (migrations.length > 0) print(`Applied ${migrations.length} migrations since version ${header.version}.`)
        if (!hasSameKey) print(otherKey)
        return 0
      },
      { skipMigrations: true },
    ),
})
