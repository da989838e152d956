import pino from 'pino'
import { openDatabase } from '../../platform/database/database.ts'
import { listenToDatabase } from '../../platform/database/listen.ts'
import { deriveSecrets } from '../../platform/secrets.ts'
import { readConfig } from '../../process/config.ts'
import { startMailWorker } from '../../testing/start-mail-worker.ts'

/** A worker in its own process, so that it can be killed. Its clock may be ahead. */
const { connection, aheadMs, environment } = JSON.parse(process.argv[2] ?? '{}')
const log = pino({ level: 'silent' })
startMailWorker({
  config: readConfig(environment),
  database: openDatabase(connection, () => {}),
  secrets: deriveSecrets('a key that is long enough for tests'),
  listener: listenToDatabase({ connection, log }),
  log,
  now: () => new Date(Date.now() + aheadMs),
})
