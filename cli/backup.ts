import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { writeBackup } from '#server/backup/write-backup.ts'
import { defineCommand } from './command.ts'
import { requireOwner, withInstallation } from './with-installation.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

export const backup = defineCommand({
  name: 'backup',
  summary: 'Write a consistent backup of every tenant to one new file; the server may keep running',
  options: { file: { value: 'FILE', help: 'the file to write', schema: z.string() } },
  operand: 'file',
  run: ({ file }, { environment, print }) =>
    withInstallation(
      environment,
      async (installation) => {
        const owner = requireOwner(installation)
        const { secrets } = installation
        const { tenants, rows } = await writeBackup(file, { owner, secrets, version, now: () => new Date() })
        print(`Wrote ${rows} rows of ${tenants.length} tenants to ${file}. Store SECRET_KEY separately.`)
        return 0
      },
      { skipMigrations: true },
    ),
})
