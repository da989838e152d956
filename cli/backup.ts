import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { writeBackup } from '#server/backup/write-backup.ts'
import { readConfig } from '#server/process/config.ts'
import { createProgress, describeContent, jobsOption } from './backup-progress.ts'
import { defineCommand } from './command.ts'
import { requireOwner, withInstallation } from './with-installation.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

export const backup = defineCommand({
  name: 'backup',
  summary: 'Write a consistent backup of every tenant to one new file; the server may keep running',
  options: {
    file: { value: 'FILE', help: 'the file to write', schema: z.string() },
    telemetry: {
      value: 'yes|no',
      help: 'no: without samples and charts, which are most of a database (default yes)',
      schema: z.enum(['yes', 'no'], { error: 'must be yes or no' }),
      isOptional: true,
    },
    jobs: jobsOption,
  },
  operand: 'file',
  run: ({ file, telemetry = 'yes', jobs }, { environment, print }) =>
    withInstallation(
      environment,
      async (installation) => {
        const owner = requireOwner(installation)
        const { secrets } = installation
        const { brandDir } = readConfig(environment)
        const options = { owner, secrets, version, brandDir, now: () => new Date(), onProgress: createProgress('read') }
        const written = await writeBackup(file, {
          ...options,
          withTelemetry: telemetry === 'yes',
          ...(jobs !== undefined && { jobs: Number(jobs) }),
        })
        print(
          `Wrote ${describeContent(written.rows, written.brandFiles, written.tenants.length)} to ${file}. Store SECRET_KEY separately.`,
        )
        return 0
      },
      { skipMigrations: true },
    ),
})
