import { setTimeout as pause } from 'node:timers/promises'
import { isUnavailable } from '#server/platform/database/errors.ts'
import { defineCommand, Flag } from './command.ts'
import { formatStatus } from './status/format-status.ts'
import { readStatus } from './status/read-status.ts'
import { withInstallation } from './with-installation.ts'

const EVERY_MS = 2_000
const CLEAR_SCREEN = '\u001b[2J\u001b[H'

export const status = defineCommand({
  name: 'status',
  summary: 'Show processes, feeds, queues, spool, disk, versions and schema on one screen',
  options: {
    watch: {
      value: '',
      help: 'show it again every 2 seconds, until Ctrl-C',
      schema: Flag,
      isOptional: true,
      isFlag: true,
    },
    json: { value: '', help: 'print it as one line of JSON', schema: Flag, isOptional: true, isFlag: true },
  },
  run: ({ watch, json }, { environment, print }) =>
    withInstallation(
      environment,
      async ({ database }) => {
        const stopping = new AbortController()
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
        // Nobody reads it anymore.
        process.stdout.once('error', () => stopping.abort())
        const read = async () => {
          const current = await readStatus(database.outsideTenants)
          return json ? JSON.stringify(current) : formatStatus(current, process.stdout.columns)
        }
        /** It is watched during outages. */
        const describeOutage = (error: Error) => {
          if (!watch || !isUnavailable(error)) throw error
          const message = `The database does not respond: ${error.message}`
          return json ? JSON.stringify({ at: new Date(), error: message }) : message
        }
        do {
          const screen = await read().catch(describeOutage)
          print(watch && !json && process.stdout.isTTY ? CLEAR_SCREEN + screen : screen)
          if (watch) await pause(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {})
        } while (watch && !stopping.signal.aborted)
        return 0
      },
      { skipMigrations: true },
    ),
})
