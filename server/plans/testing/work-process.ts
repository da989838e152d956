import { pino } from 'pino'
import { openDatabase } from '../../platform/database/database.ts'
import { secrets } from '../../vendor/testing/two-accounts.ts'
import { startPoolWork } from '../work.ts'

/** A worker as a process of its own, so that it can be killed. Its clock may be ahead. */
const { connection, aheadMs } = JSON.parse(process.argv[2] ?? '{}')
startPoolWork({
  database: openDatabase(connection, () => {}),
  connection,
  secrets,
  log: pino({ level: 'silent' }),
  now: () => new Date(Date.now() + aheadMs),
})
