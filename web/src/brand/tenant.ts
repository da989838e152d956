import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import { type TenantConfig, tenants } from '#contract/tenants.ts'
import { callOrCached } from '../cached-call.ts'
import { getRetryDelayMs } from '../retries.ts'
import { findTenantHint } from '../tenant-hint.ts'

export type Tenant = { kind: 'known'; config: TenantConfig } | { kind: 'empty' } | { kind: 'unknown'; message: string }

/** A network failure is retried and never redirects a visitor. */
export const tenantQuery = queryOptions({
  queryKey: ['tenant'],
  queryFn: async ({ signal }): Promise<Tenant> => {
    try {
      const { asOfMs: _, ...config } = await callOrCached(tenants.config, {}, signal)
      return Object.keys(config).length === 0 ? { kind: 'empty' } : { kind: 'known', config }
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return { kind: 'unknown', message: error.message }
      throw error
    }
  },
  retry: true,
  retryDelay: getRetryDelayMs,
  staleTime: Number.POSITIVE_INFINITY,
})

/** The tenant's settings; on localhost without a tenant, those of the default brand. */
export function useTenantConfig(): TenantConfig {
  const { data } = useSuspenseQuery(tenantQuery)
  return 'config' in data ? data.config : {}
}

export const useTenantId = () => useTenantConfig().tenant ?? findTenantHint()

/** The server writes this URL into the page, because an empty configuration is exactly `{}`. */
export const findMarketingUrl = () =>
  document.querySelector<HTMLMetaElement>('meta[name="dishboard:marketing-url"]')?.content || undefined
