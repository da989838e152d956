import { totalmem } from 'node:os'

export type Settings = Record<string, string>

const MIB = 1024 ** 2

/** What this process may use: in a container, less than the machine has. */
const memoryMb = () => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / MIB

/**
 * A quarter of the memory, as PostgreSQL recommends. The samples of the last hours, which most pages show, then stay in
 * its cache. Memory is allocated only as it is used.
 */
const sharedBuffersMb = () => Math.round(Math.min(2048, Math.max(128, memoryMb() / 4)))

/** Commits stay durable (fsync and synchronous_commit keep their default, on). Times are UTC in every time zone. */
export const defaultSettings = (): Settings => ({
  listen_addresses: '',
  shared_buffers: `${sharedBuffersMb()}MB`,
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  wal_compression: 'pglz',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
})
