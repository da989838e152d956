import { formatDuration } from '#contract/format/durations.ts'
import { formatCounted, formatDecimal } from '#contract/format/numbers.ts'
import { formatExactTime } from '#contract/format/times.ts'
import { formatBytes } from '#contract/format/units.ts'
import type { FeedFigures } from '#server/process/heartbeat.ts'
import type { ProcessStatus, QueueStatus, Status } from './read-status.ts'

// Three missed reports.
const GONE_AFTER_S = 35

/** Columns as wide as their widest cell; the last one is truncated at the width of the screen. */
const formatTable = (heading: string[], rows: string[][], width: number) => {
  const widths = heading.map((_, column) => Math.max(...[heading, ...rows].map((row) => row[column]?.length ?? 0)))
  return [heading, ...rows].map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd().slice(0, width),
  )
}

const formatProcess = (process: ProcessStatus, { at }: Status) => {
  const { figures, silentS } = process
  const { work, databaseConnections: connections } = figures
  return [
    process.roles,
    `${process.host}:${process.pid}`,
    process.version,
    formatDuration(at.getTime() - new Date(process.startedAt).getTime()),
    silentS > GONE_AFTER_S ? `GONE ${formatDuration(silentS * 1000)}` : formatDuration(silentS * 1000),
    formatBytes(figures.memoryBytes),
    `${connections.used}/${connections.max}${connections.waiting > 0 ? ` +${connections.waiting}` : ''}`,
    String(figures.streams),
    work ? String(work.credentials) : '-',
    work ? formatDecimal(work.rowsPerS, work.rowsPerS < 10 ? 1 : 0) : '-',
    work ? `${formatBytes(work.spool.bytes)}, ${work.spool.responses}` : '-',
    figures.diskFreeBytes === null ? '-' : formatBytes(figures.diskFreeBytes),
  ]
}

const formatFeed = (feed: FeedFigures, atMs: number) => {
  const formatAge = (ms: number | null | undefined) => (ms ? formatDuration(atMs - ms) : 'never')
  const [failure] = Object.entries(feed.lastFailure)
  return [
    feed.tenantId,
    String(feed.credentialId),
    ...(['telemetry', 'inventory', 'usage'] as const).map((name) => formatAge(feed.succeededMs[name])),
    formatAge(feed.newestSampleMs),
    formatDuration(feed.applyLagMs),
    formatDuration(feed.rollupLagMs),
    failure ? `${failure[0]}: ${failure[1]}` : '',
  ]
}

const formatQueue = ({ queue, waiting, oldestS, running, failing, lastError }: QueueStatus) => [
  queue,
  String(waiting),
  waiting > 0 ? formatDuration(oldestS * 1000) : '-',
  String(running),
  String(failing),
  (lastError ?? '').replace(/\s+/g, ' '),
]

const describeSchema = ({ schema: { missing, unknown, newest } }: Status) => {
  if (unknown.length > 0) return `${newest}, NEWER than this version (${unknown.length} unknown)`
  if (missing.length > 0) return `${missing.length} migrations MISSING; run npm run dishboard -- migrate`
  return `${newest}, up to date`
}

/** The whole installation on one screen. */
export const formatStatus = (status: Status, width = 200): string => {
  const { at, version, database, tenants, processes, queues } = status
  const atMs = at.getTime()
  const alive = processes.filter(({ silentS }) => silentS <= GONE_AFTER_S)
  const feeds = alive
    .flatMap(({ figures }) => figures.work?.feeds ?? [])
    .sort((one, other) => (one.newestSampleMs ?? 0) - (other.newestSampleMs ?? 0))
  const credentials = alive.reduce((sum, { figures }) => sum + (figures.work?.credentials ?? 0), 0)
  const section = (title: string, lines: string[]) => ['', title, ...lines]
  return [
    `Dishboard ${version}  ${formatExactTime(at, 'UTC')}  ${formatCounted(tenants, 'tenant')}`,
    `Database  PostgreSQL ${database.version}, ${formatBytes(database.bytes)}, ${database.connections} of ${database.maxConnections} connections`,
    `Schema    ${describeSchema(status)}`,
    ...section(
      `Processes (${processes.length})`,
      processes.length === 0
        ? ['  none']
        : formatTable(
            [
              'ROLES',
              'PROCESS',
              'VERSION',
              'UP',
              'SEEN',
              'MEMORY',
              'DATABASE',
              'STREAMS',
              'CREDENTIALS',
              'ROWS/S',
              'SPOOL',
              'DISK FREE',
            ],
            processes.map((each) => formatProcess(each, status)),
            width,
          ),
    ),
    ...section(
      `Feeds (${formatCounted(credentials, 'credential')}${feeds.length < credentials ? `, the ${feeds.length} that are furthest behind` : ''})`,
      feeds.length === 0
        ? ['  none']
        : formatTable(
            [
              'TENANT',
              'CREDENTIAL',
              'TELEMETRY',
              'INVENTORY',
              'USAGE',
              'NEWEST SAMPLE',
              'TO APPLY',
              'TO ROLL UP',
              'FAILS',
            ],
            feeds.map((feed) => formatFeed(feed, atMs)),
            width,
          ),
    ),
    ...section(
      'Queues',
      queues.length === 0
        ? ['  none']
        : formatTable(
            ['QUEUE', 'WAITING', 'OLDEST', 'RUNNING', 'FAILING', 'LAST ERROR'],
            queues.map(formatQueue),
            width,
          ),
    ),
  ].join('\n')
}
