import type { FastifyBaseLogger } from 'fastify'
import { startCommandWatch } from './commands/run.ts'
import type { Services } from './context.ts'
import type { Installation } from './installation.ts'
import { startJobs } from './jobs.ts'
import { startMessages } from './messages/run.ts'
import { startNotifications } from './notifications/run.ts'
import { startPoolWork } from './plans/work.ts'
import { startVendorWork, type VendorOptions } from './vendor/run.ts'

/** What the demo and the tests set otherwise than the product does. */
export type WorkOptions = Pick<VendorOptions, 'limits' | 'groupOf'>

/** The work behind: reading the vendor, jobs, messages, pools and commands that were left behind. */
export const startWork = async (
  services: Services,
  installation: Installation,
  log: FastifyBaseLogger,
  options: WorkOptions,
) => {
  const { config, database, secrets, now } = services
  const jobs = await startJobs({ connection: installation.runtime, database, log })
  const messages = startMessages({ config, database, connection: installation.runtime, log, now })
  const notifications = startNotifications({ database, connection: installation.runtime, log, now })
  const pools = startPoolWork({ database, connection: installation.runtime, secrets, log, now })
  const commands = startCommandWatch({ database, connection: installation.runtime, secrets, log, now })
  const vendor = startVendorWork({ database, secrets, log, now, ...options })
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
