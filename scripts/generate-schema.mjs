import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './prepare.mjs'
import { Problem } from './problem.mjs'

export const SCHEMA_FILE = join(root, 'server/platform/database/schema.ts')

const run = (path, args, input) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules', path), ...args], {
    cwd: root,
    encoding: 'utf8',
    input,
  })
  if (status !== 0) throw new Problem(`${path} failed:\n${stderr || stdout}`)
  return stdout
}

/** The TypeScript types of the tables of a migrated database, formatted. */
export const generateSchema = (databaseUrl) => {
  const folder = mkdtempSync(join(tmpdir(), 'dishboard-schema-'))
  const file = join(folder, 'schema.ts')
  try {
    run('kysely-codegen/dist/cli/bin.js', [
      '--dialect',
      'postgres',
      '--url',
      databaseUrl,
      '--out-file',
      file,
      '--log-level',
      'error',
      // Partitions are created and dropped while the app runs, and only the migrator uses its own tables.
      '--include-pattern',
      'public.*',
      '--exclude-pattern',
      '{samples_*,tier_*_2*,schema_migrations*}',
      '--date-parser',
      'string',
      '--type-mapping',
      '{"int8":"number"}',
    ])
    const format = ['check', '--write', '--stdin-file-path=server/platform/database/schema.ts']
    return run('@biomejs/biome/bin/biome', format, readFileSync(file, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
