import * as z from 'zod/mini'

/** The body of every failed call. `message` is shown to the user; `msg` repeats it for older clients. */
export const ErrorBody = z.object({ error: z.string(), message: z.string(), msg: z.string() })
export type ErrorBody = z.output<typeof ErrorBody>

/** Thrown by handlers on the server, and by the client when the server returned such a body. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly retryAfterS: number | undefined

  constructor(status: number, code: string, message: string, retryAfterS?: number) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.retryAfterS = retryAfterS
  }

  get body(): ErrorBody {
    return { error: this.code, message: this.message, msg: this.message }
  }
}

export const invalid = (message: string) => new ApiError(400, 'invalid', message)
export const unauthorized = (message = 'Please sign in.') => new ApiError(401, 'unauthorized', message)
export const forbidden = (message = 'You don’t have permission to do this.') => new ApiError(403, 'forbidden', message)
/** The page asks for the password and repeats the call. */
export const reauthenticate = () => new ApiError(403, 'reauthenticate', 'Please confirm that it is you.')
/** An API token may not do this, whatever its scopes. */
export const notForTokens = () => new ApiError(403, 'token_not_allowed', 'API tokens may not do this. Please sign in.')
/** The page redirects to the password form. */
export const changePasswordFirst = () =>
  new ApiError(403, 'change_password', 'Please change your password before you continue.')
/** The page redirects to the form that adds a second factor. */
export const addFactorFirst = () => new ApiError(403, 'add_factor', 'Please add a second factor before you continue.')
export const notFound = (message: string) => new ApiError(404, 'not_found', message)
/** A waiting time in words. */
export const formatWait = (seconds: number) => {
  const [count, unit] =
    seconds < 60
      ? [seconds, 'second']
      : seconds < 3600
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3600), 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

export const tooMany = (
  retryAfterS: number,
  describe = (wait: string) => `Too many tries. Please wait ${wait} and try again.`,
) => new ApiError(429, 'too_many', describe(formatWait(retryAfterS)), retryAfterS)
export const conflict = (message: string) => new ApiError(409, 'conflict', message)
