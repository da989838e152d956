import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, retainSearchParams } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { Shell } from './parts/shell/Shell.tsx'
import { PastSearch } from './past-search.ts'
import { NotFoundPage } from './screens/message/MessagePages.tsx'

/** Shared by all pages. On localhost the query names the tenant, so links retain it, like the displayed time. */
export const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  validateSearch: z.extend(PastSearch, { tenant: z.catch(z.optional(z.string()), undefined) }),
  search: { middlewares: [retainSearchParams(['tenant', 'at'])] },
  staticData: { title: 'Not found', access: 'public' },
  component: Shell,
  notFoundComponent: NotFoundPage,
})
