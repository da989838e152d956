import { verifyChain } from '#server/audit/verify.ts'
import type { Database } from '#server/platform/database/database.ts'
import { tenantIds } from './tenants.ts'
import { writeKinds } from './write-kinds.ts'
import type { Ledger, Write } from './writers.ts'

const formatKey = ({ tenantId, kind, mark }: Write) => `${tenantId} ${kind.name} ${mark}`

const countAll = async (database: Database) => {
  const counts = new Map<string, number>()
  for (const tenantId of tenantIds)
    for (const kind of writeKinds) {
      const marks = await database.transaction({ tenantId }, (db) => kind.countMarks(db, tenantId))
      for (const [mark, count] of marks) counts.set(`${tenantId} ${kind.name} ${mark}`, count)
    }
  return counts
}

/** Each line must have the last acknowledged value, or a later one that was sent and never acknowledged. */
const countStale = async (database: Database, writes: Write[]) => {
  const writesByLine = Map.groupBy(
    writes.filter(({ kind }) => kind.name === 'metadata'),
    ({ tenantId, line }) => `${tenantId} ${line.nickname}`,
  )
  let stale = 0
  for (const [key, lineWrites] of writesByLine) {
    const [tenantId, nickname] = [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)]
    const row = await database.transaction({ tenantId }, (db) =>
      db.selectFrom('service_lines').select('metadata1').where('nickname', '=', nickname).executeTakeFirst(),
    )
    const last = lineWrites.findLastIndex(({ acknowledged }) => acknowledged)
    if (last >= 0 && !lineWrites.slice(last).some(({ mark }) => mark === row?.metadata1)) stale++
  }
  return stale
}

const countBrokenChains = async (database: Database) => {
  let broken = 0
  for (const tenantId of tenantIds) {
    const { fault } = await database.transaction({ tenantId }, (db) => verifyChain(db, tenantId))
    if (fault) broken++
  }
  return broken
}

/** Compares the acknowledged writes with the database. */
export const accountFor = async (database: Database, { writes }: Ledger) => {
  const counts = await countAll(database)
  const acknowledged = writes.filter((write) => write.acknowledged)
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((write) => !counts.get(formatKey(write))).length + (await countStale(database, writes)),
    doubled: writes.filter((write) => (counts.get(formatKey(write)) ?? 0) > 1).length,
    brokenChains: await countBrokenChains(database),
  }
}
