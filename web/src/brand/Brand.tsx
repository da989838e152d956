import { MantineProvider } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { MessagePage } from '../ui/MessagePage.tsx'
import { Notices } from '../ui/Notices.tsx'
import { Waiting } from '../ui/Waiting.tsx'
import { useBrandImage } from './images.ts'
import { findMarketingUrl, type Tenant, tenantQuery } from './tenant.ts'
import { brandTheme } from './theme.ts'

/** Applies the tenant's colors. Visitors to a tenant that is not set up are redirected. */
export function Brand({ children }: { children: ReactNode }) {
  const { data: tenant } = useQuery(tenantQuery)
  const queries = useQueryClient()
  const accent = tenant && 'config' in tenant ? tenant.config.colors?.primary : undefined
  const theme = useMemo(() => brandTheme(accent), [accent])
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <Notices />
      {tenant ? (
        <TenantGate tenant={tenant}>{children}</TenantGate>
      ) : (
        <Waiting
          text="Loading tenant settings..."
          retry={() => void queries.resetQueries({ queryKey: tenantQuery.queryKey })}
        />
      )}
    </MantineProvider>
  )
}

function TenantGate({ tenant, children }: { tenant: Tenant; children: ReactNode }) {
  if (tenant.kind === 'unknown')
    return <MessagePage scene="vessel" title="This address is not in use" text={tenant.message} />
  if (tenant.kind === 'empty') return <MarketingRedirect />
  return (
    <>
      <Favicon />
      {children}
    </>
  )
}

function MarketingRedirect() {
  const marketingUrl = findMarketingUrl()
  useEffect(() => {
    if (marketingUrl) location.replace(marketingUrl)
  }, [marketingUrl])
  if (!marketingUrl) return <MessagePage scene="dish" title="Not open yet" text="This portal has not been set up." />
  return <MessagePage title="One moment" text="You are being taken to our website." />
}

function Favicon() {
  const { src, onError } = useBrandImage('favicon')
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (!link) return
    link.type = src.endsWith('.svg') ? 'image/svg+xml' : ''
    link.href = src
    // Browsers do not report an icon that fails to load, so an image probes it.
    const probe = new Image()
    probe.onerror = onError
    probe.src = src
  }, [src, onError])
  return null
}
