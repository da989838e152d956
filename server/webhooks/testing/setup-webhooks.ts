import pg from 'pg'
import pino from 'pino'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Webhook, WebhookForm } from '#contract/webhooks.ts'
import { appendEdges } from '../../telemetry/terminal-states.ts'
import { addLine } from '../../testing/add-line.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { createWebhookQueue } from '../queue.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const MONTH_MS = 30 * 86_400_000

/** A server with tenants a and b and an administrator each, real receivers, and a worker that the test runs. */
export const setupWebhooks = () => {
  const context = {} as { server: TestServer; superuser: pg.Client; tokens: Record<string, string> }
  const receivers: Receiver[] = []

  beforeAll(async () => {
    context.server = await startTestServer({ OUTBOUND_NETWORKS: '127.0.0.0/8' })
    context.superuser = new pg.Client(context.server.superuser)
    await context.superuser.connect()
    context.tokens = {}
    for (const tenant of ['a', 'b'])
      await context.server.addUser(tenant, { email: `admin@${tenant}.example`, role: 'admin', username: 'staff' })
  })
  afterAll(async () => {
    await context.superuser.end()
    await context.server.close()
  })
  afterEach(async () => {
    await context.superuser.query('delete from webhook_endpoints; delete from messages; delete from job_requests')
    context.server.clock.now = new Date()
    context.tokens = {}
    for (const receiver of receivers.splice(0)) await receiver.close()
  })

  const call = async (tenant: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => {
    const send = () =>
      context.server.call(tenant, method, `/api/webhooks/${path}`, {
        token: context.tokens[tenant] ?? 'none',
        ...(body && { body }),
      })
    const response = await send()
    if (response.status !== 401) return response
    // Signs in for the first call of a test, or after the test's clock has passed the end of the session.
    context.tokens[tenant] = (await context.server.signIn(tenant, `admin@${tenant}.example`)).access
    return send()
  }

  const requested = async (tenant: string) => {
    const { rows } = await context.superuser.query(
      "delete from job_requests where queue = 'webhooks' and tenant_id = $1 returning subject",
      [tenant],
    )
    return [...new Set(rows.map(({ subject }) => subject as string))]
  }

  let lines = 0
  return Object.assign(context, {
    call,
    /** A working terminal of a group. */
    addTerminal: (tenantId = 'a', group = 'north') => {
      const nickname = `school-${++lines}`
      const serviceLine = `SL-${lines}`
      return context.server.database.transaction({ tenantId }, async (db) => {
        const { lineId, terminalIds } = await addLine(db, tenantId, {
          service_line_number: serviceLine,
          nickname,
          group_name: group,
        })
        const terminalId = terminalIds[0] as number
        const since = new Date(Date.now() - MONTH_MS)
        await db
          .insertInto('status_intervals')
          .values({
            tenant_id: tenantId,
            terminal_id: terminalId,
            status: 'online',
            started_at: since,
            noted_at: since,
          })
          .execute()
        return { lineId, terminalId, nickname, serviceLine }
      })
    },
    /** Takes the terminal offline, as the telemetry records it. */
    lose: (terminalId: number, tenantId = 'a', atMs = Date.now() - 60_000) =>
      context.server.database.transaction({ tenantId }, (db) =>
        appendEdges(db, tenantId, [{ terminalId, atMs, status: 'offline', disabled: false }]),
      ),
    listen: async () => {
      const receiver = await startReceiver()
      receivers.push(receiver)
      return receiver
    },
    /** A webhook with its secret; by default for all events of terminals. */
    create: async (form: Partial<WebhookForm> & { url: string }, tenant = 'a') => {
      const { status, body } = await call(tenant, 'POST', '', {
        name: 'Desk',
        format: 'standard',
        eventTypes: ['terminal.status_changed'],
        target: { kind: 'all' },
        ...form,
      })
      if (status !== 200) throw new Error(`creating a webhook returned ${status}: ${JSON.stringify(body)}`)
      return body as { webhook: Webhook; secret: string }
    },
    /** Runs the enqueued jobs, or those of the given endpoints. Returns when each is due next. */
    work: async (tenant = 'a', subjects?: string[]) => {
      const { server } = context
      const queue = createWebhookQueue({
        database: server.database,
        secrets: server.services.secrets,
        log: pino({ level: 'silent' }),
        now: () => server.clock.now,
        allowedNetworks: ['127.0.0.0/8'],
      })
      // Makes due what was just written by the database's clock.
      if (!subjects) server.clock.now = new Date(Math.max(server.clock.now.getTime(), Date.now() + 1_000))
      const due: (Date | undefined)[] = []
      for (const subject of subjects ?? (await requested(tenant)))
        due.push(
          await queue.run(
            { queue: 'webhooks', tenantId: tenant, subject, fence: 1, failures: 0 },
            new AbortController().signal,
          ),
        )
      return due
    },
    requested,
    pass: (ms: number) => {
      context.server.clock.now = new Date(context.server.clock.now.getTime() + ms)
    },
  })
}
