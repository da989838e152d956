import { pino } from 'pino'
import { advanceTiers } from '../../telemetry/advance-tiers.ts'
import { createFeed, feedLimits } from '../../telemetry/feed.ts'
import { ingestBatch } from '../../telemetry/ingest-batch.ts'
import { compressBody, findPendingBatch, storeRawBatch } from '../../telemetry/raw-batches.ts'
import { emptyLine } from '../../telemetry/testing/two-feeds.ts'
import type { TestServer } from '../../testing/server.ts'
import { connectVendor } from '../../vendor/credentials.ts'
import { storeLines } from '../../vendor/store-lines.ts'
import { storeRouters, storeTerminals } from '../../vendor/store-terminals.ts'

export interface TestLine {
  /** The line is SL-{name}, its terminal's device {name}, its kit KIT-{name}, its router Router-{name}. */
  name: string
  group: string
}

const product = {
  productReferenceId: 'plan',
  name: 'Local Priority 50GB',
  price: 65,
  isoCurrencyCode: 'USD',
  isSla: false,
  maxNumberOfUserTerminals: null,
  dataProducts: null,
}

/** Lines of a tenant with a terminal and a router each, and the feed that reports them. */
export const addLines = async (
  { database, services }: TestServer,
  tenantId: string,
  lines: readonly TestLine[],
  vendor = { baseUrl: 'http://127.0.0.1:9/', tokenUrl: 'http://127.0.0.1:9/token' },
) => {
  const credentialId = await database.transaction({ tenantId }, async (db) => {
    const id = await connectVendor(db, services.secrets, {
      tenantId,
      clientId: 'client',
      clientSecret: 'secret',
      ...vendor,
    })
    const scope = { tenantId, credentialId: id }
    const groups = new Map(lines.map(({ name, group }) => [`SL-${name}`, group]))
    await storeLines(db, {
      ...scope,
      lines: lines.map(({ name }) => ({
        ...emptyLine,
        productReferenceId: 'plan',
        serviceLineNumber: `SL-${name}`,
        nickname: name,
      })),
      addresses: [],
      products: [product],
      assignGroup: ({ serviceLineNumber }) => groups.get(serviceLineNumber) as string,
    })
    const terminals = lines.map(({ name }) => ({
      userTerminalId: name,
      nickname: null,
      kitSerialNumber: `KIT-${name}`,
      dishSerialNumber: `DISH-${name}`,
      serviceLineNumber: `SL-${name}`,
      routers: [{ routerId: `Router-${name}`, nickname: null, userTerminalId: name, configId: null }],
    }))
    await storeTerminals(db, { ...scope, terminals })
    await storeRouters(db, { ...scope, terminals })
    return id
  })
  const now = () => services.now().getTime()
  const feed = createFeed({ tenantId, credentialId, database, limits: feedLimits, now, log: pino({ level: 'silent' }) })
  return {
    credentialId,
    /** Ingests a body as if the vendor's stream had sent it, after pending ones, and computes the tiers. */
    receive: async (body: string) => {
      const packedBody = await compressBody(body)
      await database.transaction({ tenantId }, (db) =>
        storeRawBatch(db, { tenantId, credentialId, kind: 'stream', packedBody, receivedAt: services.now() }),
      )
      const findPending = () => database.transaction({ tenantId }, (db) => findPendingBatch(db, feed))
      for (let raw = await findPending(); raw; raw = await findPending()) await ingestBatch(feed, raw)
      await advanceTiers(feed)
    },
  }
}
