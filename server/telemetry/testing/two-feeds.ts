import pg from 'pg'
import { pino } from 'pino'
import { deriveSecrets } from '../../platform/secrets.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { connectVendor } from '../../vendor/credentials.ts'
import { storeLines } from '../../vendor/store-lines.ts'
import { storeRouters, storeTerminals } from '../../vendor/store-terminals.ts'
import { createFeed, type Feed, feedLimits } from '../feed.ts'
import type { FeedMonitor } from '../feed-monitor.ts'
import { ingestBatch } from '../ingest-batch.ts'
import { type BatchKind, compressBody, findPendingBatch, storeRawBatch } from '../raw-batches.ts'

const DEVICES = ['one', 'two', 'three']

export const secrets = deriveSecrets('a key for tests, long enough to be taken')

/** Two tenants, each with a feed and three terminals. Their devices have the same names but share no rows. */
export const createTwoFeeds = async (monitor?: FeedMonitor) => {
  const test = await createTestDatabase()
  const { database } = test
  const owner = new pg.Client(test.superuser)
  await owner.connect()
  const warnings: { tenantId: string; message: string; name: string }[] = []
  const nowMs = { value: Date.now() }

  const open = async (tenantId: string): Promise<Feed> => {
    await owner.query('insert into tenants (id) values ($1)', [tenantId])
    const credentialId = await database.transaction({ tenantId }, async (db) => {
      const id = await connectVendor(db, secrets, {
        tenantId,
        baseUrl: 'http://127.0.0.1:9/',
        tokenUrl: 'http://127.0.0.1:9/token',
        clientId: 'client',
        clientSecret: 'secret',
      })
      const lines = DEVICES.map((device) => ({ ...emptyLine, serviceLineNumber: `SL-${device}`, nickname: device }))
      const terminals = DEVICES.map((device) => ({
        userTerminalId: device,
        nickname: null,
        kitSerialNumber: `KIT-${device}`,
        dishSerialNumber: `DISH-${device}`,
        serviceLineNumber: `SL-${device}`,
        routers: [{ routerId: `Router-${device}`, nickname: null, userTerminalId: device, configId: null }],
      }))
      const scope = { tenantId, credentialId: id }
      await storeLines(db, { ...scope, lines, addresses: [], products: [], assignGroup: () => 'north' })
      await storeTerminals(db, { ...scope, terminals })
      await storeRouters(db, { ...scope, terminals })
      return id
    })
    return reopen(tenantId, credentialId)
  }

  /** As after a restart: empty memory, same database. */
  const reopen = (tenantId: string, credentialId: number): Feed => {
    const log = pino({ level: 'warn' }, { write: (line) => note(tenantId, JSON.parse(line)) })
    return createFeed({
      tenantId,
      credentialId,
      database,
      limits: feedLimits,
      now: () => nowMs.value,
      log,
      ...(monitor && { monitor }),
    })
  }
  const note = (tenantId: string, line: { msg: string; name?: string }) =>
    warnings.push({ tenantId, message: line.msg, name: line.name ?? '' })

  const alpha = await open('alpha')
  const beta = await open('beta')

  const store = async (feed: Feed, body: string, kind: BatchKind = 'stream') => {
    const packedBody = await compressBody(body)
    const { tenantId, credentialId } = feed
    const receivedAt = new Date(nowMs.value)
    return database.transaction({ tenantId }, (db) =>
      storeRawBatch(db, { tenantId, credentialId, kind, packedBody, receivedAt }),
    )
  }
  const findWaiting = (feed: Feed) =>
    database.transaction({ tenantId: feed.tenantId }, (db) => findPendingBatch(db, feed))
  const applyWaiting = async (feed: Feed) => {
    for (let raw = await findWaiting(feed); raw; raw = await findWaiting(feed)) await ingestBatch(feed, raw)
  }

  return {
    ...test,
    alpha,
    beta,
    nowMs,
    warnings,
    reopen,
    store,
    findWaiting,
    applyWaiting,
    receive: async (feed: Feed, body: string, kind?: BatchKind) => {
      await store(feed, body, kind)
      await applyWaiting(feed)
    },
    /** Rows of one tenant's table, as the runtime role sees them. */
    rows: async <T extends pg.QueryResultRow>(tenantId: string, query: string): Promise<T[]> =>
      database.transaction({ tenantId }, async (_, client) => (await client.query<T>(query)).rows),
    close: async () => {
      await owner.end()
      await test.close()
    },
  }
}

export type TwoFeeds = Awaited<ReturnType<typeof createTwoFeeds>>

/** A vendor service line without any optional data. */
export const emptyLine = {
  addressReferenceId: null,
  productReferenceId: null,
  delayedProductId: null,
  optInProductId: null,
  startDate: null,
  endDate: null,
  publicIp: false,
  active: true,
  dataBlocks: null,
}
