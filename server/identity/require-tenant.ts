import { invalid } from '#contract/errors.ts'
import type { AnonymousContext } from '../platform/context.ts'

/** The tenant to sign in to. */
export const requireTenantId = (context: Pick<AnonymousContext, 'tenantId'>) => {
  if (context.tenantId === undefined) throw invalid('Tenant information is missing. Please try again.')
  return context.tenantId
}
