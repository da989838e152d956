import pino from 'pino'
import { openDatabase } from '../../platform/database/database.ts'
import { readConfig } from '../../process/config.ts'
import { startMessages } from '../run.ts'

/** A worker as a process of its own, so that it can be killed. Its clock may be ahead. */
const { connection, aheadMs, environment } = JSON.parse(process.argv[2] ?? '{}')
startMessages({
  config: readConfig(environment),
  database: openDatabase(connection, () => {}),
  connection,
  log: pino({ level: 'silent' }),
  now: () => new Date(Date.now() + aheadMs),
})
