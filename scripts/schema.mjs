import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '#server/platform/database/migrate.ts'
import { prepareCluster } from '#server/platform/database/roles.ts'
import { startPostgres } from '#server/platform/postgres/start-postgres.ts'
import { openRunFolder } from '#server/testing/run-folder.ts'
import { generateSchema, SCHEMA_FILE } from './generate-schema.mjs'
import { runMain } from './problem.mjs'
import { during } from './progress.mjs'

/** Writes server/platform/database/schema.ts from the migrations, using a temporary database. */
const main = async () => {
  const { folder, close } = openRunFolder()
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), settings: { fsync: 'off' } })
  try {
    const { owner, runtime } = await prepareCluster(postgres.socketDir, postgres.superuser)
    await during('Migrating a throwaway database', () => migrate(owner, runtime.user))
    const url = `postgres://${owner.user}@localhost/${owner.database}?host=${encodeURIComponent(owner.host)}`
    await during('Reading its tables', async () => writeFileSync(SCHEMA_FILE, generateSchema(url)))
    return 0
  } finally {
    await postgres.stop()
    await close()
  }
}

runMain(main)
