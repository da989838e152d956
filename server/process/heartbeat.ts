import { randomUUID } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { LANES } from '../identity/hash-queue.ts'
import { getHashQueue } from '../identity/passwords.ts'
import type { Listener } from '../platform/database/listen.ts'
import type { MonitoredFeed } from '../telemetry/feed-monitor.ts'
import { tiers } from '../telemetry/tiers.ts'
import type { AppServices } from './app.ts'
import type { ProcessRoles } from './run.ts'
import { version } from './version.ts'

const BEAT_MS = 10_000
// Only the feeds that are furthest behind: a row with thousands of feeds would be rewritten at every heartbeat.
const MAX_FEEDS = 50

export interface FeedFigures {
  tenantId: string
  credentialId: number
  succeededMs: MonitoredFeed['succeededMs']
  lastFailure: MonitoredFeed['lastFailure']
  newestSampleMs: number | null
  applyLagMs: number
  rollupLagMs: number
}

/** What a process reports about itself every few seconds. */
export interface ProcessFigures {
  url: string | null
  memoryBytes: number
  diskFreeBytes: number | null
  databaseConnections: { used: number; max: number; waiting: number }
  streams: number
  passwordChecksWaiting: number
  /** Null in a process without background work. */
  work: {
    credentials: number
    feeds: FeedFigures[]
    rowsPerS: number
    batchesPerS: number
    spool: { bytes: number; maxBytes: number; responses: number; oldestAtMs: number | null }
  } | null
}

const toFigures = (feed: MonitoredFeed): FeedFigures => ({
  tenantId: feed.tenantId,
  credentialId: feed.credentialId,
  succeededMs: feed.succeededMs,
  lastFailure: feed.lastFailure,
  newestSampleMs: feed.newestSampleMs ?? null,
  applyLagMs: feed.applyLagMs,
  rollupLagMs: Math.max(...tiers.map(({ name }) => feed.getRollupLagMs(name))),
})

interface Options {
  services: AppServices
  listener: Listener
  parts: ProcessRoles
  url: string | undefined
}

/** Makes this process visible to operators: its row is renewed until it stops. */
export const startHeartbeat = async ({ services, listener, parts, url }: Options) => {
  const { config, database, fleet, spool, monitor } = services
  const id = randomUUID()
  const roles = parts.serve && parts.work ? 'serve,work' : parts.serve ? 'serve' : 'work'
  let counted = { atMs: performance.now(), rows: 0, batches: 0 }

  const describeWork = (): ProcessFigures['work'] => {
    if (!spool || !monitor) return null
    const { rows, batches } = monitor.totals
    const atMs = performance.now()
    const seconds = Math.max(0.001, (atMs - counted.atMs) / 1000)
    const rates = { rowsPerS: (rows - counted.rows) / seconds, batchesPerS: (batches - counted.batches) / seconds }
    counted = { atMs, rows, batches }
    const feeds = monitor.listFeeds()
    const { bytes, maxBytes, files, oldestAt } = spool.getState()
    return {
      credentials: feeds.length,
      feeds: feeds
        .map(toFigures)
        .sort((one, other) => (one.newestSampleMs ?? 0) - (other.newestSampleMs ?? 0))
        .slice(0, MAX_FEEDS),
      ...rates,
      spool: { bytes, maxBytes, responses: files, oldestAtMs: oldestAt?.getTime() ?? null },
    }
  }

  const describe = async (): Promise<ProcessFigures> => {
    const disk = await statfs(config.dataDir).catch(() => undefined)
    const pools = database.readPools()
    const sum = (read: (pool: (typeof pools)[number]) => number) => pools.reduce((total, pool) => total + read(pool), 0)
    return {
      url: url ?? null,
      memoryBytes: process.memoryUsage.rss(),
      diskFreeBytes: disk ? disk.bavail * disk.bsize : null,
      databaseConnections: {
        used: sum(({ open, idle }) => open - idle),
        max: sum(({ max }) => max),
        waiting: sum(({ waiting }) => waiting),
      },
      streams: fleet.live.countStreams(),
      passwordChecksWaiting: LANES.reduce((total, lane) => total + getHashQueue().countWaiting(lane), 0),
      work: describeWork(),
    }
  }

  const startedAt = new Date(Date.now() - process.uptime() * 1000)
  let beating: Promise<unknown> = Promise.resolve()
  const beat = () => {
    beating = describe()
      .then((figures) =>
        listener.query(
          `with gone as (delete from processes where beat_at < now() - interval '1 day' and id <> $1)
           insert into processes (id, roles, host, pid, version, started_at, figures)
           values ($1, $2, $3, $4, $5, $6, $7)
           on conflict (id) do update set beat_at = now(), figures = excluded.figures`,
          [id, roles, hostname(), process.pid, version, startedAt, JSON.stringify(figures)],
        ),
      )
      // Without a connection nothing can be written; the listener logs it and reconnects.
      .catch(() => {})
    return beating
  }
  await beat()
  const timer = setInterval(beat, BEAT_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      await beating
      await listener.query('delete from processes where id = $1', [id]).catch(() => {})
    },
  }
}
