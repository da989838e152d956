// Driver messages for a connection that broke or could not be opened, and Citus messages for a connection to another node.
const BROKEN_CONNECTION =
  /\b(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)\b|ENOENT.*PGSQL|connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|query read timeout|connection to the remote node|failure on connection marked as essential/i

// PostgreSQL's codes while it starts, stops or recovers, is out of connections, or has failed over to a read-only server.
const UNAVAILABLE_CODES = new Set([
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
  '08000',
  '08006',
  '08003',
  '08001',
  '08004',
  '25006',
])

type Fault = Error & { code?: string }

/** The database cannot be reached at the moment, whatever the statement; a retry may succeed. */
export const isUnavailable = ({ code = '', message }: Fault) =>
  UNAVAILABLE_CODES.has(code) || BROKEN_CONNECTION.test(`${code} ${message}`)

// Deadlock detected, and serialization failure.
const CONFLICT_CODES = new Set(['40P01', '40001'])

/** The transaction was rolled back in favor of another one; a retry may succeed. */
export const isTransactionConflict = ({ code = '' }: Fault) => CONFLICT_CODES.has(code)

const UNIQUE_VIOLATION = '23505'

export const isUniqueViolation = (error: unknown) => (error as Partial<Fault>).code === UNIQUE_VIOLATION

const DISK_FULL = '53100'
const READ_ONLY = '25006'

/** The database has no disk space left for writes; reads still work. */
export const isStorageFull = ({ code }: Fault) => code === DISK_FULL

/** Turns the error of a read-only transaction, used while the disk is full, into a disk-full error. */
export const toStorageFull = (error: Fault): Error =>
  error.code === READ_ONLY
    ? Object.assign(new Error('The disk is full.', { cause: error }), { code: DISK_FULL })
    : error
