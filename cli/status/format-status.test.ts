import { expect, test } from 'vitest'
import { formatStatus } from './format-status.ts'
import type { ProcessStatus, Status } from './read-status.ts'

const at = new Date('2026-11-18T12:00:00Z')

const createWorker = (pid: number, silentS: number): ProcessStatus => ({
  roles: 'work',
  host: 'h',
  pid,
  version: '1.0.0',
  startedAt: new Date(at.getTime() - 60_000),
  silentS,
  figures: {
    memoryBytes: 1,
    databaseConnections: { used: 1, max: 13, waiting: 0 },
    streams: 0,
    diskFreeBytes: null,
    work: {
      credentials: 1,
      rowsPerS: 1,
      spool: { bytes: 0, responses: 0 },
      feeds: [
        {
          tenantId: 'a',
          credentialId: 1,
          succeededMs: {},
          newestSampleMs: at.getTime(),
          applyLagMs: 0,
          rollupLagMs: 0,
          lastFailure: {},
        },
      ],
    },
  } as unknown as ProcessStatus['figures'],
})

test('the credential of a killed process is counted where it is read', () => {
  const status: Status = {
    at,
    version: '1.0.0',
    tenants: 1,
    queues: [],
    schema: { missing: [], unknown: [], newest: '0001_x' },
    database: { version: '15', bytes: 1, connections: 1, maxConnections: 100 },
    processes: [createWorker(1, 600), createWorker(2, 3)],
  }
  expect(formatStatus(status)).toMatch(/^Feeds \(1 credential\)$/m)
})
