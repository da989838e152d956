import type { FastifyBaseLogger, FastifyError, FastifyInstance } from 'fastify'
import { ApiError } from '#contract/errors.ts'
import { isStorageFull, isTransactionConflict, isUnavailable } from '../database/errors.ts'

const toApiError = (error: FastifyError): ApiError => {
  if (error instanceof ApiError) return error
  if (isStorageFull(error))
    return new ApiError(
      503,
      'storage_full',
      'Nothing can be saved now: our storage is full. Please try again later.',
      30,
    )
  if (isUnavailable(error))
    return new ApiError(503, 'unavailable', 'The service is not available for a moment. Please try again.', 2)
  if (isTransactionConflict(error)) return new ApiError(503, 'busy', 'The service is busy. Please try again.', 1)
  const status = error.statusCode ?? 500
  if (status === 503) return new ApiError(503, 'busy', 'The service is busy. Please try again in a few seconds.', 2)
  if (status >= 400 && status < 500) return new ApiError(status, 'invalid', 'The request could not be read.')
  return new ApiError(500, 'internal', 'Something went wrong on our side. Please try again.')
}

const LOG_REFUSED_EVERY_MS = 10_000

/** Logs the number of refused requests at intervals: one line per request would add to the load, and fill the disk. */
const createRefusalLog = (write: (counted: { refused: number; err?: unknown }) => void) => {
  let refused = 0
  let loggedMs = Number.NEGATIVE_INFINITY
  return (err?: unknown) => {
    refused++
    if (performance.now() - loggedMs < LOG_REFUSED_EVERY_MS) return
    write(err === undefined ? { refused } : { refused, err })
    refused = 0
    loggedMs = performance.now()
  }
}

const createRefusalLogs = (log: FastifyBaseLogger) => ({
  busy: createRefusalLog((counted) => log.warn(counted, 'The server is overloaded; requests are refused.')),
  unavailable: createRefusalLog((counted) => log.error(counted, 'The database is unavailable; requests are refused.')),
  storage_full: createRefusalLog((counted) =>
    log.error(counted, 'The disk of the database is full; changes are refused.'),
  ),
})

/** Returns every error in the same envelope; the cause of an unexpected one goes only to the log. */
export const registerErrorHandler = (app: FastifyInstance) => {
  const refusals = createRefusalLogs(app.log)
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const known = toApiError(error)
    if (known.code === 'busy') refusals.busy()
    else if (known.code === 'unavailable' || known.code === 'storage_full') refusals[known.code](error)
    else if (known.status >= 500) request.log.error({ err: error }, 'request failed')
    // Fastify would close the connection when it refuses a body. A client that is still sending would see a broken
    // connection instead of our response, so the rest of the body is read and discarded, within the request timeout.
    reply.removeHeader('connection')
    if (known.retryAfterS !== undefined) reply.header('retry-after', known.retryAfterS)
    // A download can fail before its first line, when its own headers are already set.
    reply.removeHeader('content-disposition').type('application/json; charset=utf-8')
    return reply.status(known.status).send(known.body)
  })
}

export const unknownRoute = new ApiError(404, 'not_found', 'There is no such call.')
