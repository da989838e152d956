import pino from 'pino'
import { expect } from 'vitest'
import { startMailServer } from './mail-server.ts'
import type { TestServer } from './server.ts'
import { startMailWorker } from './start-mail-worker.ts'

/** The mail of a test server, with a real mail server that the test reads. */
export const startMailbox = async (server: TestServer, secrets = server.services.secrets) => {
  const mailServer = await startMailServer()
  const { config, database } = server.services
  const working = startMailWorker({
    config: { ...config, smtpUrl: mailServer.url },
    database,
    secrets,
    listener: server.listener,
    log: pino({ level: 'silent' }),
    // Mails are dated by the database; the test's clock may stand still.
    now: () => new Date(Math.max(server.clock.now.getTime(), Date.now()) + 1_000),
  })
  const listTo = (address: string) => mailServer.mails.filter((mail) => mail.to.includes(address))
  return {
    mails: mailServer.mails,
    listTo,
    /** Waits for the n-th mail to an address. */
    waitFor: async (address: string, number = 1) => {
      await expect.poll(() => listTo(address).length).toBeGreaterThanOrEqual(number)
      const mail = listTo(address)[number - 1]
      if (!mail) throw new Error('The mail is gone.')
      return mail
    },
    close: async () => {
      await working.stop()
      await mailServer.close()
    },
  }
}

export type Mailbox = Awaited<ReturnType<typeof startMailbox>>
