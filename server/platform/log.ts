import { types } from 'node:util'
import pino, { type DestinationStream } from 'pino'

/** What the log says about an error besides its message and stack. */
const FIELDS = [
  'code',
  'errno',
  'syscall',
  'address',
  'port',
  'status',
  'statusCode',
  'command',
  'responseCode',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'routine',
] as const

const isShort = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

/**
 * Libraries attach more to their errors than a log may contain: a driver its connection with its statements and their
 * values, PostgreSQL the row that it refused, a parser the URL with its password, an HTTP client the request with its
 * headers. So only known fields are logged.
 */
const serializeError = (error: unknown): unknown => {
  if (!types.isNativeError(error)) return { type: typeof error, message: String(error) }
  // With those of its causes.
  const { type, message, stack } = pino.stdSerializers.err(error)
  const given = error as unknown as Record<string, unknown>
  const fields = FIELDS.filter((name) => isShort(given[name])).map((name) => [name, given[name]])
  const errors = Array.isArray(given.errors) ? { errors: given.errors.map(serializeError) } : {}
  return { type, message, stack, ...Object.fromEntries(fields), ...errors }
}

/** An error for the console: its stack with those of its causes, and none of its fields. */
export const formatError = (error: unknown) =>
  types.isNativeError(error) ? pino.stdSerializers.err(error).stack : String(error)

/** The log of a process: JSON lines on standard output, unless another destination is given. */
export const createLog = (level: string, destination?: DestinationStream) => {
  const options = { level, serializers: { err: serializeError }, redact: ['req.headers.authorization'] }
  return destination ? pino(options, destination) : pino(options)
}

export type Log = ReturnType<typeof createLog>
