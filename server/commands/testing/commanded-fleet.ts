import { pino } from 'pino'
import * as z from 'zod/mini'
import type { CommandReceipt } from '#contract/command-receipt.ts'
import { type TerminalDetail, terminalDetail } from '#contract/terminal-detail.ts'
import { startSimulator } from '#simulator/server.ts'
import { createStarlinkClient } from '#starlink/client.ts'
import { createFeed, feedLimits } from '../../telemetry/feed.ts'
import { ingestBatch } from '../../telemetry/ingest-batch.ts'
import { compressBody, findPendingBatch, storeRawBatch } from '../../telemetry/raw-batches.ts'
import { startTestServer } from '../../testing/server.ts'
import { connectVendor } from '../../vendor/credentials.ts'
import { syncInventory } from '../../vendor/sync-inventory.ts'
import { createCommandTracker } from '../track-commands.ts'

const account = (tenantId: string) => ({ clientId: `client-${tenantId}`, clientSecret: 'secret', terminals: 24 })

/** Two tenants with fleets of the simulated vendor, on one clock that the test moves. */
export const startCommandedFleet = async () => {
  const server = await startTestServer()
  const { database, services, clock } = server
  const nowMs = () => clock.now.getTime()
  const simulator = await startSimulator({ accounts: [account('a'), account('b')], now: nowMs })
  const feeds = new Map<string, () => Promise<void>>()

  for (const tenantId of ['a', 'b']) {
    const credential = { ...account(tenantId), baseUrl: simulator.url, tokenUrl: simulator.tokenUrl }
    const credentialId = await database.transaction({ tenantId }, (db) =>
      connectVendor(db, services.secrets, { tenantId, ...credential }),
    )
    const client = createStarlinkClient(credential)
    const scope = { tenantId, credentialId, database, now: nowMs }
    await syncInventory({ ...scope, client, assignGroup: () => 'north' })
    const feed = createFeed({ ...scope, limits: feedLimits, log: pino({ level: 'silent' }) })
    feeds.set(tenantId, async () => {
      const packedBody = await compressBody(await client.streamTelemetry({ batchSize: 65_000, maxLingerMs: 0 }))
      await database.transaction({ tenantId }, (db) =>
        storeRawBatch(db, { tenantId, credentialId, kind: 'stream', packedBody, receivedAt: clock.now }),
      )
      const raw = await database.transaction({ tenantId }, (db) => findPendingBatch(db, feed))
      if (raw) await ingestBatch(feed, raw)
    })
    await server.addUser(tenantId, { email: 'admin@mail.example', role: 'admin', username: 'staff' })
    await server.addUser(tenantId, { email: 'north@mail.example', username: 'north' })
    await server.addUser(tenantId, { email: 'south@mail.example', username: 'south' })
  }
  const tracker = createCommandTracker({ database, secrets: services.secrets, now: services.now })
  const ingest = async (tenantId: string) => {
    await feeds.get(tenantId)?.()
    await tracker.poll(tenantId)
  }
  const passMin = async (tenantId: string, minutes: number) => {
    clock.now = new Date(nowMs() + minutes * 60_000)
    await ingest(tenantId)
  }
  // Addresses are reported every five minutes.
  await passMin('a', 6)
  await passMin('b', 0)

  const rows = async <T extends object>(tenantId: string, query: string): Promise<T[]> =>
    database.transaction({ tenantId }, async (_, client) => (await client.query(query)).rows as T[])

  /** Lines whose terminals report, with the names that the routes take. */
  const listReportingLines = (tenantId: string) =>
    rows<{ nickname: string; sl: string; device: string }>(
      tenantId,
      `select nickname, service_line_number as sl, device_id as device from service_lines as line
       join terminals on terminals.service_line_id = line.id join latest on latest.terminal_id = terminals.id
       join latest_addresses on latest_addresses.terminal_id = terminals.id
       where active and not public_ip and opt_in_product_id is null and latest.at > now() - interval '1 hour'
       order by line.id`,
    )

  const tokens = new Map<string, { access: string; givenMs: number }>()
  const getToken = async (tenantId: string, name: string) => {
    const key = `${tenantId} ${name}`
    const known = tokens.get(key)
    if (known && nowMs() - known.givenMs < 10 * 60_000) return known.access
    const { access } = await server.signIn(tenantId, `${name}@mail.example`)
    tokens.set(key, { access, givenMs: nowMs() })
    return access
  }
  const send = async (
    tenantId: string,
    name: string,
    path: string,
    body: object,
    headers: Record<string, string> = {},
  ) => server.call(tenantId, 'PATCH', `/api${path}`, { body, headers, token: await getToken(tenantId, name) })

  const detail = async (tenantId: string, nickname: string): Promise<TerminalDetail> => {
    const token = await getToken(tenantId, 'admin')
    const path = `/api/terminals/${encodeURIComponent(nickname)}/15/`
    const { status, body } = await server.call(tenantId, 'POST', path, { token })
    if (status !== 200) throw new Error(`the detail returned ${status}`)
    return z.decode(terminalDetail.get.output, body)
  }

  return {
    ...server,
    simulator,
    tracker,
    rows,
    passMin,
    listReportingLines,
    send,
    detail,
    receipts: async (tenantId: string, nickname: string): Promise<CommandReceipt[]> =>
      (await detail(tenantId, nickname)).receipts,
    close: async () => {
      await simulator.close()
      await server.close()
    },
  }
}

export type CommandedFleet = Awaited<ReturnType<typeof startCommandedFleet>>
