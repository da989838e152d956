import { statfs } from 'node:fs/promises'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { registerHashMetrics } from '../identity/hash-metrics.ts'
import { measureClockSkew } from '../platform/database/clock-skew.ts'
import type { Database } from '../platform/database/database.ts'
import { addGauge } from '../platform/gauge.ts'
import { registerJobMetrics } from '../platform/worker/metrics.ts'
import { registerSpoolMetrics } from '../telemetry/drain-spool.ts'
import { registerFeedMetrics } from '../telemetry/feed-metrics.ts'
import type { AppServices } from './app.ts'
import { version } from './version.ts'

const registerDatabaseMetrics = (registry: Registry, database: Database, now: () => Date) => {
  const registers = [registry]
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections to the database that are in use or idle, and requests that wait for one',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const { name: pool, open, idle, waiting } of database.readPools()) {
        this.set({ pool, state: 'used' }, open - idle)
        this.set({ pool, state: 'idle' }, idle)
        this.set({ pool, state: 'waiting' }, waiting)
      }
    },
  })
  new Gauge({
    name: 'database_pool_max_connections',
    help: 'Connections that a pool may open',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const { name: pool, max } of database.readPools()) this.set({ pool }, max)
    },
  })
  new Gauge({
    name: 'database_up',
    help: 'Whether the database answered during this scrape',
    registers,
  }).set(0)
  new Gauge({
    name: 'database_clock_skew_seconds',
    help: 'How far the clock of this process is ahead of that of the database',
    registers,
    async collect() {
      const up = registry.getSingleMetric('database_up') as Gauge
      try {
        this.set((await measureClockSkew(database.outsideTenants, now)) / 1000)
        up.set(1)
      } catch {
        up.set(0)
      }
    },
  })
}

/** The metrics of this process. Collecting them reads nothing that grows with the number of tenants or samples. */
export const createMetrics = (
  { config, database, fleet, spool, monitor, now }: AppServices,
  roles: 'serve' | 'work' | 'serve,work',
) => {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'dishboard_info',
    help: 'Version and roles of this process; always 1',
    labelNames: ['version', 'roles'],
    registers,
  }).set({ version, roles }, 1)
  registerDatabaseMetrics(registry, database, now)
  registerJobMetrics(registry, database)
  if (spool) registerSpoolMetrics(registry, spool)
  if (monitor) registerFeedMetrics(registry, monitor, now)
  registerHashMetrics(registry)
  addGauge(registry, 'live_streams', 'Open live streams of browsers', () => fleet.live.countStreams())
  new Gauge({
    name: 'data_disk_free_bytes',
    help: 'Free space on the disk of DATA_DIR',
    registers,
    async collect() {
      const disk = await statfs(config.dataDir).catch(() => undefined)
      if (disk) this.set(disk.bavail * disk.bsize)
    },
  })
  return registry
}
