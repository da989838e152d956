import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type MailServer, startMailServer } from '../../testing/mail-server.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { createDelivery } from '../deliver.ts'
import { type Mail, queueMail } from '../queue-mail.ts'
import { createMailTransport } from '../smtp-transport.ts'

export const MINUTE_MS = 60_000

// A server that responds may be slow on a busy machine. One that hangs needs only a short timeout.
export const LONG_TIMEOUTS_MS = { connect: 20_000, response: 20_000 }

/** For each test: a server with tenants a and b, a mail server, and deliveries whose clock the test advances. */
export const setupDelivery = () => {
  const context = {} as { server: TestServer; post: MailServer }
  const transports: ReturnType<typeof createMailTransport>[] = []

  beforeAll(async () => {
    context.server = await startTestServer()
  })
  afterAll(() => context.server.close())
  beforeEach(async () => {
    const { server } = context
    context.post = await startMailServer()
    // Ahead of the database's clock, so that a message that was just queued is due.
    server.clock.now = new Date(Date.now() + MINUTE_MS)
    for (const tenantId of ['a', 'b'])
      await server.database.transaction({ tenantId }, (db) => db.deleteFrom('messages').execute())
  })
  afterEach(async () => {
    for (const transport of transports.splice(0)) transport.close()
    await context.post.close()
  })

  const deliverWith = (options: Pick<Parameters<typeof createDelivery>[0], 'transport' | 'revalidate'>) =>
    createDelivery({
      database: context.server.database,
      secrets: context.server.services.secrets,
      mailFrom: 'portal@sender.example',
      log: pino({ level: 'silent' }),
      now: () => context.server.clock.now,
      ...options,
    })

  return Object.assign(context, {
    deliverWith,
    delivery: (limitsMs = LONG_TIMEOUTS_MS) => {
      const transport = createMailTransport(context.post.url, async () => undefined, limitsMs)
      transports.push(transport)
      return deliverWith({ transport })
    },
    queue: (mail: Partial<Mail> = {}, tenantId = 'a') =>
      context.server.database.transaction({ tenantId }, (db) =>
        queueMail(db, tenantId, {
          to: 'someone@mail.example',
          subject: 'Nome School is offline',
          text: 'It is offline.\n',
          html: '<p>It is <b>offline</b>.</p>',
          ...mail,
        }),
      ),
    find: (id: string, tenantId = 'a') =>
      context.server.database.transaction({ tenantId }, (db) =>
        db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
      ),
    pass: (ms: number) => {
      context.server.clock.now = new Date(context.server.clock.now.getTime() + ms)
    },
  })
}
