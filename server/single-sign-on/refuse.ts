import { ApiError } from '#contract/errors.ts'
import { type AnonymousContext, type Context, openTransaction } from '../platform/context.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { ClockAhead, InvalidProviderResponse, ProviderRefusal } from './provider.ts'

/** Why a sign-in is refused: a code for administrators, and a message for the user. */
const reasons = {
  expired: 'This sign-in is too old, was used before, or began in another browser. Please try again.',
  changed: 'Single sign-on was changed meanwhile. Please try again.',
  provider: 'The sign-in service did not sign you in. Please try again.',
  invalid: 'The answer of the sign-in service is not valid. Please try again, or contact your administrator.',
  clock: 'The clock of the sign-in service is ahead of ours. Please contact your administrator.',
  unverified: 'The sign-in service has not verified your email address. Please contact your administrator.',
  rule: 'You may not use this portal. Please contact your administrator.',
  other_account:
    'Your email address belongs to another account of the sign-in service. Please contact your administrator.',
  not_linked: 'This is not the account that you signed in with.',
} as const
export type Reason = keyof typeof reasons

/** Thrown in a transaction; recorded after it has ended. */
export class SsoRefusal extends Error {
  readonly reason: Reason
  readonly account: string
  constructor(reason: Reason, account = '') {
    super(reasons[reason])
    this.reason = reason
    this.account = account
  }
}

export const notConfigured = () => new ApiError(404, 'not_found', 'Single sign-on is not set up here.')

export const unreachable = () =>
  new ApiError(503, 'provider_unreachable', 'The sign-in service cannot be reached. Please try again in a moment.')

const toRefusal = (error: unknown) => {
  if (error instanceof ProviderRefusal) return new SsoRefusal('provider')
  if (error instanceof ClockAhead) return new SsoRefusal('clock')
  if (error instanceof InvalidProviderResponse) return new SsoRefusal('invalid')
  return error instanceof SsoRefusal ? error : undefined
}

/** Everything except refusals and our own errors is reported as a provider that did not respond correctly. */
export const withProvider = async <T>({ log }: Pick<AnonymousContext, 'log'>, work: () => Promise<T>) => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError || toRefusal(error)) throw error
    log.warn({ err: error }, 'The provider of single sign-on failed.')
    throw unreachable()
  }
}

/** Records why a sign-in is refused, and reports it to the user. */
export const recordRefusals = async <T>(
  context: AnonymousContext | Context,
  tenantId: string,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const refusal = toRefusal(error)
    if (!refusal) throw error
    const { account, reason } = refusal
    const event = { kind: 'sso_refused', account, origin: context, details: { reason } } as const
    await openTransaction(context, tenantId)((db) => recordSecurityEvent(db, tenantId, context.services.now(), event))
    // A user who fails a confirmation stays signed in.
    throw new ApiError('user' in context ? 403 : 401, 'sso_refused', refusal.message)
  }
}
