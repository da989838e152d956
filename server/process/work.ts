import type { FastifyBaseLogger } from 'fastify'
import { startCommandWatch } from '../commands/run.ts'
import { startMessages } from '../messages/run.ts'
import { startNotifications } from '../notifications/run.ts'
import { startPoolWork } from '../plans/work.ts'
import type { Services } from '../platform/context.ts'
import { startVendorWork, type VendorOptions } from '../vendor/run.ts'
import type { Installation } from './installation.ts'
import { startJobs } from './jobs.ts'

/** What the demo and the tests set otherwise than the product does. */
export type WorkOptions = Pick<VendorOptions, 'limits' | 'assignGroup'>

/** The work behind: reading the vendor, jobs, messages, pools and commands that were left behind. */
export const startWork = async (
  services: Services,
  installation: Installation,
  log: FastifyBaseLogger,
  options: WorkOptions,
) => {
  const { config, database, secrets, now } = services
  // First: everybody sees the age of what the vendor told, and jobs take their time to begin.
  const vendor = startVendorWork({ database, secrets, log, now, ...options })
  const jobs = await startJobs({ connection: installation.runtime, database, log }).catch(async (error: unknown) => {
    await vendor.stop()
    throw error
  })
  const messages = startMessages({ config, database, connection: installation.runtime, log, now })
  const notifications = startNotifications({ database, connection: installation.runtime, log, now })
  const pools = startPoolWork({ database, connection: installation.runtime, secrets, log, now })
  const commands = startCommandWatch({ database, connection: installation.runtime, secrets, log, now })
  return {
    stop: async () => {
      await vendor.stop()
      await commands.stop()
      await pools.stop()
      await notifications.stop()
      await messages.stop()
      await jobs.stop()
    },
  }
}
