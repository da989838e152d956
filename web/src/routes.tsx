import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  retainSearchParams,
} from '@tanstack/react-router'
import * as z from 'zod/mini'
import { AdminOnly } from './parts/AdminOnly.tsx'
import { FleetFilter } from './parts/fleet/fleet-filter.ts'
import { prefetchDetails, prefetchFleet } from './parts/fleet/fleet-queries.ts'
import { preloadMap } from './parts/map/LazyTerminalMap.tsx'
import { Protected } from './parts/shell/Protected.tsx'
import { Shell } from './parts/shell/Shell.tsx'
import { TableSearch } from './parts/table-search.ts'
import { DashboardPage } from './screens/dashboard/DashboardPage.tsx'
import { ExecutiveSearch } from './screens/executive/executive-search.ts'
import { HomePage } from './screens/home/HomePage.tsx'
import { LogFilter } from './screens/logs/log-filter.ts'
import { BrokenPage } from './screens/message/BrokenPage.tsx'
import { ForbiddenPage } from './screens/message/ForbiddenPage.tsx'
import { LogoutPage } from './screens/message/LogoutPage.tsx'
import { NotFoundPage } from './screens/message/NotFoundPage.tsx'
import { PlanManagerSearch } from './screens/plan-manager/plan-manager-search.ts'
import { TerminalSearch } from './screens/terminal/terminal-search.ts'
import { tokens } from './tokens.ts'

// Every URL of the app. On localhost the query names the tenant, so each link carries it.
const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  validateSearch: z.object({ tenant: z.catch(z.optional(z.string()), undefined) }),
  search: { middlewares: [retainSearchParams(['tenant'])] },
  component: Shell,
  notFoundComponent: NotFoundPage,
})

const home = createRoute({ getParentRoute: () => root, path: '/', component: HomePage })
const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: lazyRouteComponent(() => import('./screens/login/LoginPage.tsx'), 'LoginPage'),
})
const logout = createRoute({ getParentRoute: () => root, path: '/logout', component: LogoutPage })
const support = createRoute({
  getParentRoute: () => root,
  path: '/support',
  component: lazyRouteComponent(() => import('./screens/support/SupportPage.tsx'), 'SupportPage'),
})
const forbidden = createRoute({ getParentRoute: () => root, path: '/forbidden', component: ForbiddenPage })

// A list is requested while the session is still being checked. The screen that shows it waits for the response.
const loadFleet = ({ context }: { context: { queries: QueryClient } }) => {
  if (tokens.access) void prefetchFleet(context.queries).then(preloadMap)
}
const loadDetails = ({ context }: { context: { queries: QueryClient } }) => {
  if (tokens.access) void prefetchDetails(context.queries)
}

const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: Protected })

const dashboard = createRoute({
  getParentRoute: () => signedIn,
  path: '/dashboard',
  validateSearch: FleetFilter,
  loader: loadFleet,
  component: DashboardPage,
})

const terminalTable = createRoute({
  getParentRoute: () => signedIn,
  path: '/terminaltable',
  validateSearch: z.extend(FleetFilter, TableSearch.shape),
  loader: loadDetails,
  component: lazyRouteComponent(() => import('./screens/table/TerminalTablePage.tsx'), 'TerminalTablePage'),
})

const terminal = createRoute({
  getParentRoute: () => signedIn,
  path: '/terminal/$kitnumber',
  validateSearch: TerminalSearch,
  component: lazyRouteComponent(() => import('./screens/terminal/TerminalPage.tsx'), 'TerminalPage'),
})

const profile = createRoute({
  getParentRoute: () => signedIn,
  path: '/profile',
  component: lazyRouteComponent(() => import('./screens/profile/ProfilePage.tsx'), 'ProfilePage'),
})

const smsConsent = createRoute({
  getParentRoute: () => signedIn,
  path: '/sms_consent',
  component: lazyRouteComponent(() => import('./screens/sms-consent/SmsConsentPage.tsx'), 'SmsConsentPage'),
})

const adminOnly = createRoute({ getParentRoute: () => signedIn, id: 'admin', component: AdminOnly })

const adminPage = createRoute({
  getParentRoute: () => adminOnly,
  path: '/admin-page',
  validateSearch: TableSearch,
  component: lazyRouteComponent(() => import('./screens/admin/AdminPage.tsx'), 'AdminPage'),
})

const deliveries = createRoute({
  getParentRoute: () => adminOnly,
  path: '/deliveries',
  component: lazyRouteComponent(() => import('./screens/deliveries/DeliveriesPage.tsx'), 'DeliveriesPage'),
})

const accessControl = createRoute({
  getParentRoute: () => adminOnly,
  path: '/access-control',
  validateSearch: TableSearch,
  component: lazyRouteComponent(() => import('./screens/access-control/AccessControlPage.tsx'), 'AccessControlPage'),
})

const editingLogs = createRoute({
  getParentRoute: () => signedIn,
  path: '/editing-logs',
  validateSearch: LogFilter,
  component: lazyRouteComponent(() => import('./screens/logs/LogsPage.tsx'), 'LogsPage'),
})

const executive = createRoute({
  getParentRoute: () => adminOnly,
  path: '/dev-dashboard',
  validateSearch: ExecutiveSearch,
  component: lazyRouteComponent(() => import('./screens/executive/ExecutivePage.tsx'), 'ExecutivePage'),
})

const planManager = createRoute({
  getParentRoute: () => signedIn,
  path: '/plan-manager',
  validateSearch: PlanManagerSearch,
  component: lazyRouteComponent(() => import('./screens/plan-manager/PlanManagerPage.tsx'), 'PlanManagerPage'),
})

export const createAppRouter = (queries: QueryClient) =>
  createRouter({
    context: { queries },
    routeTree: root.addChildren([
      home,
      login,
      logout,
      support,
      forbidden,
      signedIn.addChildren([
        profile,
        smsConsent,
        dashboard,
        terminalTable,
        terminal,
        editingLogs,
        planManager,
        adminOnly.addChildren([adminPage, deliveries, accessControl, executive]),
      ]),
    ]),
    defaultErrorComponent: BrokenPage,
    defaultPreload: 'intent',
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
