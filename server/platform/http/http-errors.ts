import type { FastifyBaseLogger, FastifyError, FastifyInstance } from 'fastify'
import { ApiError } from '#contract/errors.ts'
import { isStorageFull, isUnavailable } from '../database/errors.ts'

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
  const status = error.statusCode ?? 500
  if (status === 503) return new ApiError(503, 'busy', 'The service is busy. Please try again.', 2)
  if (status >= 400 && status < 500) return new ApiError(status, 'invalid', 'The request could not be read.')
  return new ApiError(500, 'internal', 'Something went wrong on our side. Please try again.')
}

const TELL_BUSY_EVERY_MS = 10_000

/** Says now and then how many were turned away: a line for each would be work when there is too much of it already. */
const createBusyLog = (log: FastifyBaseLogger) => {
  let turnedAway = 0
  let toldMs = Number.NEGATIVE_INFINITY
  return () => {
    turnedAway++
    if (performance.now() - toldMs < TELL_BUSY_EVERY_MS) return
    log.warn({ turnedAway }, 'There is more to do than can be done; requests are turned away.')
    turnedAway = 0
    toldMs = performance.now()
  }
}

/** Every failure leaves as the same envelope; the reason of an unexpected one goes to the log and no further. */
export const registerErrorHandler = (app: FastifyInstance) => {
  const noteTurnedAway = createBusyLog(app.log)
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const known = toApiError(error)
    if (known.code === 'busy') noteTurnedAway()
    else if (known.status >= 500) request.log.error({ err: error }, 'request failed')
    // Fastify would hang up on a body it refuses. Who is still sending it then sees a broken line and not our answer, so the
    // rest of it is let in and thrown away, for as long as any request may take.
    reply.removeHeader('connection')
    if (known.retryAfterS !== undefined) reply.header('retry-after', known.retryAfterS)
    return reply.status(known.status).send(known.body)
  })
}

export const unknownRoute = new ApiError(404, 'not_found', 'There is no such call.')
