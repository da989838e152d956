import './ui/mantine.css'
import './brand/fonts.css'
import './brand/global.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Brand } from './brand/Brand.tsx'
import { tenantQuery } from './brand/tenant.ts'
import { cacheShell } from './cache-shell.ts'
import { onContact } from './contact.ts'
import { getDataSaver, watchLink } from './data-saver.ts'
import { takeMailRecipient } from './mail-link.ts'
import { getRetryDelayMs, shouldRetry } from './retries.ts'
import { createAppRouter } from './routes.tsx'
import { clearCachesOnSignOut, sessionQuery } from './session.ts'
import { takeSsoResponse } from './sso-response.ts'
import { restoreTenantHint } from './tenant-hint.ts'
import { tokens } from './tokens.ts'
import { reloadMissingStyles } from './ui/reload-missing-styles.ts'

takeSsoResponse()
takeMailRecipient()
restoreTenantHint()
reloadMissingStyles()

// A refresh token that a logout left behind is not valid.
if (!tokens.access) tokens.clear()

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: shouldRetry,
      retryDelay: getRetryDelayMs,
      refetchOnWindowFocus: false,
      networkMode: 'offlineFirst',
    },
    // Offline, a write fails at once with a message. By default it would be queued and sent later without the user
    // noticing.
    mutations: { networkMode: 'always' },
  },
})

clearCachesOnSignOut(queries)
onContact(() => void queries.invalidateQueries())
cacheShell()

// On a slow link each round trip counts, so independent requests start at once.
void queries.prefetchQuery(tenantQuery)
if (tokens.access) void queries.prefetchQuery(sessionQuery)

watchLink()
const router = createAppRouter(queries, !getDataSaver().isOn)
void router.load()

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Brand>
        <RouterProvider router={router} />
      </Brand>
    </QueryClientProvider>
  </StrictMode>,
)
