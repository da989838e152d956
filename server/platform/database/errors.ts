// What the driver says of a connection that broke, or that could not be made, and Citus of one to another node.
const BROKEN =
  /\b(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)\b|ENOENT.*PGSQL|connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|query read timeout|connection to the remote node|failure on connection marked as essential/i

// What PostgreSQL says while it starts, stops or recovers, has no connection to spare, or has been replaced by a
// server that only reads.
const AWAY = new Set([
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

/** The database cannot be reached now, whatever the statement; a retry may succeed. */
export const isUnavailable = ({ code = '', message }: Fault) => AWAY.has(code) || BROKEN.test(`${code} ${message}`)

// A deadlock that PostgreSQL resolved, and a serialization failure.
const LOST_TO_ANOTHER = new Set(['40P01', '40001'])

/** The transaction was undone in favor of another one; the same work may succeed when it runs again. */
export const isTransactionConflict = ({ code = '' }: Fault) => LOST_TO_ANOTHER.has(code)

const UNIQUE_VIOLATION = '23505'

export const isUniqueViolation = (error: unknown) => (error as Partial<Fault>).code === UNIQUE_VIOLATION

const DISK_FULL = '53100'
const READ_ONLY = '25006'

/** The database has no room left for what should be written; what is there can be read. */
export const isStorageFull = ({ code }: Fault) => code === DISK_FULL

/** Turns the refusal of a read-only transaction, used while the disk is full, into the error of a full disk. */
export const toStorageFull = (error: Fault): Error =>
  error.code === READ_ONLY
    ? Object.assign(new Error('The disk is full.', { cause: error }), { code: DISK_FULL })
    : error
