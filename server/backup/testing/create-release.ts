import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '../../platform/database/migrate.ts'
import { prepareCluster } from '../../platform/database/roles.ts'
import { startPostgres } from '../../platform/postgres/start-postgres.ts'
import { deriveSecrets } from '../../platform/secrets.ts'
import { writeBackup } from '../write-backup.ts'
import { addTwoTenants } from './two-tenants.ts'

// Run once when a version is released: node server/backup/testing/create-release.ts 0.1.0
// A test then restores this file and compares every row.
const version = process.argv[2]
if (!version) throw new Error('Please give the version, for example 0.1.0.')
const folder = await mkdtemp(join(tmpdir(), 'dishboard-release-'))
const postgres = await startPostgres({ dataDir: join(folder, 'postgres') })
try {
  const { owner, runtime } = await prepareCluster(postgres.socketDir, postgres.superuser)
  await migrate(owner, runtime.user)
  await addTwoTenants({ ...owner, user: postgres.superuser })
  const path = fileURLToPath(new URL(`../released/${version}.dishboard`, import.meta.url))
  const secrets = deriveSecrets('a key that is long enough for tests')
  await rm(path, { force: true })
  const { rows } = await writeBackup(path, { owner, secrets, version, now: () => new Date() })
  console.log(`Wrote ${rows} rows to ${path}.`)
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
