import { openInstallation } from './installation.ts'
import { type ProcessRoles, runApp } from './run.ts'
import { runProcess } from './run-process.ts'

const USAGE = `Usage: node server/process/main.ts [serve | work]
  serve   serve requests only
  work    run background jobs and read the vendor only
  neither: both in one process`

const parseRoles = (args: string[]): ProcessRoles | undefined => {
  if (args.length === 0) return { serve: true, work: true }
  if (args.length > 1 || !['serve', 'work'].includes(args[0] as string)) return undefined
  return { serve: args[0] === 'serve', work: args[0] === 'work' }
}

/** Runs a process of the app with the roles given on the command line. */
export const start = async (onReady: () => void) => {
  const parts = parseRoles(process.argv.slice(2))
  if (!parts) {
    console.error(USAGE)
    process.exit(2)
  }
  await runProcess({ serves: parts.serve }, async (config, log, stopping) => {
    const installation = await openInstallation(config, {
      onProgress: (message) => log.info(message),
      onError: (error) => log.warn({ err: error }, 'A database connection broke.'),
      onWaiting: (message) => log.warn(message),
      stopping,
    })
    try {
      stopping.throwIfAborted()
      const running = await runApp(config, installation, parts, log)
      log.info({ url: running.url }, 'ready')
      onReady()
      return async () => {
        await running.stop()
        await installation.close()
      }
    } catch (error) {
      await installation.close()
      throw error
    }
  })
}
