import { totalmem } from 'node:os'

export type Settings = Record<string, string>

const sharedBuffersMb = () => (totalmem() < 4 * 1024 ** 3 ? 256 : 512)

/** Commits stay durable (fsync and synchronous_commit keep their default, on). Times are UTC wherever the machine stands. */
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
