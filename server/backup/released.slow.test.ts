import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { adoptChains } from '../audit/anchor-chain.ts'
import { verifyChain } from '../audit/verify.ts'
import { compareSchema } from '../platform/database/migrate.ts'
import { deriveSecrets } from '../platform/secrets.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { restoreBackup } from './restore-backup.ts'
import { readReleasedRows } from './testing/released-rows.ts'
import { compareRows } from './testing/rows.ts'

const released = fileURLToPath(new URL('./released/', import.meta.url))
const secrets = deriveSecrets('a key that is long enough for tests')

let target: TestDatabase
let empty: TestDatabase
afterEach(() => Promise.all([target.close(), empty.close()]))

for (const file of await readdir(released))
  test(`upgrades a database of ${file.replace('.dishboard', '')} and preserves every row`, async () => {
    target = await createTestDatabase({ template: 'template0' })
    empty = await createTestDatabase({ template: 'template0' })
    const path = `${released}${file}`
    await restoreBackup(path, { owner: target.owner, runtimeRole: 'dishboard_app', secrets })
    expect(await compareSchema(target.database.outsideTenants)).toEqual({ missing: [], unknown: [] })
    const { expected, found } = await readReleasedRows(path, target.superuser, {
      ...empty,
      runtimeRole: 'dishboard_app',
    })
    expect(expected.size).toBeGreaterThan(40)
    expect(compareRows(expected, found)).toEqual({ missing: 0, added: 0 })
    // Entries of that version have no seal.
    const before = await target.database.transaction({ tenantId: 'a' }, (db) => verifyChain(db, 'a'))
    expect(before.fault).toEqual({ seq: 1, problem: 'Entry 1 has no valid seal, and no anchor covers it.' })
    const dataDir = await mkdtemp(join(tmpdir(), 'dishboard-released-'))
    expect(await adoptChains(target.database, { now: new Date(), dataDir })).toEqual([])
    await rm(dataDir, { recursive: true })
    for (const tenantId of ['a', 'b'])
      await target.database.transaction({ tenantId }, async (db) =>
        expect(await verifyChain(db, tenantId)).toMatchObject({ entries: 5, fault: undefined }),
      )
  })
