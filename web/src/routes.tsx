import type { QueryClient } from '@tanstack/react-query'
import { createRoute, createRouter, lazyRouteComponent, type ParsedLocation } from '@tanstack/react-router'
import * as z from 'zod/mini'
import type { Factor } from '#contract/identity.ts'
import { adminRoutes } from './admin-routes.ts'
import { FleetFilter } from './parts/fleet/fleet-filter.ts'
import { prefetchDetails, prefetchFleet } from './parts/fleet/fleet-queries.ts'
import { preloadMap } from './parts/map/LazyTerminalMap.tsx'
import { TableSearch } from './parts/table-search.ts'
import { root } from './root-route.ts'
import { AvailabilitySearch } from './screens/availability/availability-search.ts'
import { DashboardPage } from './screens/dashboard/DashboardPage.tsx'
import { DashboardSearch } from './screens/dashboard/dashboard-search.ts'
import { HomePage } from './screens/home/HomePage.tsx'
import { IncidentsSearch } from './screens/incidents/incidents-search.ts'
import { MaintenanceSearch } from './screens/maintenance/maintenance-search.ts'
import { LogoutPage } from './screens/message/LogoutPage.tsx'
import { BrokenPage, ForbiddenPage } from './screens/message/MessagePages.tsx'
import { PlanManagerSearch } from './screens/plan-manager/plan-manager-search.ts'
import { ReportsSearch } from './screens/reports/reports-search.ts'
import { TerminalSearch } from './screens/terminal/terminal-search.ts'
import { tokens } from './tokens.ts'

// The pages of the app, in the order of the navbar. Those of administrators are in admin-routes.ts.
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  staticData: { title: '', access: 'public', navLabel: 'Home' },
  component: HomePage,
})
const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  staticData: { title: 'Sign In', access: 'public' },
  component: lazyRouteComponent(() => import('./screens/login/LoginPage.tsx'), 'LoginPage'),
})
const ssoCallback = createRoute({
  getParentRoute: () => root,
  path: '/sso/callback',
  staticData: { title: 'Sign In', access: 'public' },
  component: lazyRouteComponent(() => import('./screens/login/SsoCallbackPage.tsx'), 'SsoCallbackPage'),
})
const logout = createRoute({
  getParentRoute: () => root,
  path: '/logout',
  staticData: { title: 'Log Out', access: 'public' },
  component: LogoutPage,
})
const support = createRoute({
  getParentRoute: () => root,
  path: '/support',
  staticData: { title: 'Support', access: 'public', navLabel: 'Support' },
  component: lazyRouteComponent(() => import('./screens/support/SupportPage.tsx'), 'SupportPage'),
})
const forbidden = createRoute({
  getParentRoute: () => root,
  path: '/forbidden',
  staticData: { title: 'Forbidden', access: 'public' },
  component: ForbiddenPage,
})

// A list is requested while the session is still being checked; its page waits for the response.
interface Loading {
  context: { queries: QueryClient }
  location: ParsedLocation<object>
}
const loadFleet = ({ context, location }: Loading) => {
  if (tokens.access && !('at' in location.search)) void prefetchFleet(context.queries).then(preloadMap)
}
const loadDetails = ({ context, location }: Loading) => {
  if (tokens.access && !('at' in location.search)) void prefetchDetails(context.queries)
}

const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/dashboard',
  staticData: { title: 'Dashboard', access: 'user', navLabel: 'Dashboard', showsPast: true },
  validateSearch: DashboardSearch,
  loader: loadFleet,
  component: DashboardPage,
})

const terminalTable = createRoute({
  getParentRoute: () => root,
  path: '/terminaltable',
  staticData: { title: 'Terminal Table', access: 'user', showsPast: true },
  validateSearch: z.extend(FleetFilter, { ...TableSearch.shape, columns: TableSearch.shape.q }),
  loader: loadDetails,
  component: lazyRouteComponent(() => import('./screens/table/TerminalTablePage.tsx'), 'TerminalTablePage'),
})

const view = createRoute({
  getParentRoute: () => root,
  path: '/views/$id',
  staticData: { title: 'View', access: 'user' },
  component: lazyRouteComponent(() => import('./screens/views/OpenViewPage.tsx'), 'OpenViewPage'),
})

const terminal = createRoute({
  getParentRoute: () => root,
  path: '/terminal/$kitnumber',
  staticData: {
    title: 'Terminal',
    access: 'user',
    showsPast: true,
    continueLabel: ({ kitnumber }) => `terminal ${kitnumber}`,
  },
  validateSearch: TerminalSearch,
  component: lazyRouteComponent(() => import('./screens/terminal/TerminalPage.tsx'), 'TerminalPage'),
})

const incidents = createRoute({
  getParentRoute: () => root,
  path: '/incidents',
  staticData: { title: 'Incidents', access: 'user', showsPast: true },
  validateSearch: IncidentsSearch,
  component: lazyRouteComponent(() => import('./screens/incidents/IncidentsPage.tsx'), 'IncidentsPage'),
})

const incident = createRoute({
  getParentRoute: () => root,
  path: '/incidents/$id',
  staticData: { title: 'Incident', access: 'user', showsPast: true },
  component: lazyRouteComponent(() => import('./screens/incidents/IncidentPage.tsx'), 'IncidentPage'),
})

const maintenance = createRoute({
  getParentRoute: () => root,
  path: '/maintenance',
  staticData: { title: 'Maintenance', access: 'user' },
  validateSearch: MaintenanceSearch,
  component: lazyRouteComponent(() => import('./screens/maintenance/MaintenancePage.tsx'), 'MaintenancePage'),
})

const availability = createRoute({
  getParentRoute: () => root,
  path: '/availability',
  staticData: { title: 'Availability', access: 'user' },
  validateSearch: AvailabilitySearch,
  component: lazyRouteComponent(() => import('./screens/availability/AvailabilityPage.tsx'), 'AvailabilityPage'),
})

const reports = createRoute({
  getParentRoute: () => root,
  path: '/reports',
  staticData: { title: 'Reports', access: 'user' },
  validateSearch: ReportsSearch,
  component: lazyRouteComponent(() => import('./screens/reports/ReportsPage.tsx'), 'ReportsPage'),
})

const report = createRoute({
  getParentRoute: () => root,
  path: '/reports/$id',
  staticData: { title: 'Report', access: 'user' },
  component: lazyRouteComponent(() => import('./screens/reports/ReportPage.tsx'), 'ReportPage'),
})

const profile = createRoute({
  getParentRoute: () => root,
  path: '/profile',
  staticData: { title: 'Profile', access: 'user', isForNewUsers: true },
  component: lazyRouteComponent(() => import('./screens/profile/ProfilePage.tsx'), 'ProfilePage'),
})

const smsConsent = createRoute({
  getParentRoute: () => root,
  path: '/sms_consent',
  staticData: { title: 'SMS Messaging', access: 'user' },
  component: lazyRouteComponent(() => import('./screens/sms-consent/SmsConsentPage.tsx'), 'SmsConsentPage'),
})

const planManager = createRoute({
  getParentRoute: () => root,
  path: '/plan-manager',
  staticData: { title: 'Plan Manager', access: 'user', navLabel: 'Plan Manager', navPermission: 'plan_manager' },
  validateSearch: PlanManagerSearch,
  component: lazyRouteComponent(() => import('./screens/plan-manager/PlanManagerPage.tsx'), 'PlanManagerPage'),
})

const pool = createRoute({
  getParentRoute: () => root,
  path: '/plan-manager/$pool',
  staticData: { title: 'Pool', access: 'user' },
  component: lazyRouteComponent(() => import('./screens/plan-manager/PoolPage.tsx'), 'PoolPage'),
})

/** Without `preload`, nothing is loaded before a link is followed. */
export const createAppRouter = (queries: QueryClient, preload = true) =>
  createRouter({
    context: { queries },
    routeTree: root.addChildren([
      home,
      dashboard,
      terminalTable,
      view,
      terminal,
      incidents,
      incident,
      maintenance,
      availability,
      reports,
      report,
      support,
      ...adminRoutes,
      planManager,
      pool,
      profile,
      smsConsent,
      login,
      ssoCallback,
      logout,
      forbidden,
    ]),
    defaultErrorComponent: BrokenPage,
    defaultPreload: preload && 'intent',
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  interface HistoryState {
    /** A dialog to open with the page. */
    asks?: 'reboot'
    /** A sign-in started on another page, for the sign-in page to complete. */
    startedSignIn?: { codeSentTo?: string; factors?: Factor[]; isNewUser: boolean }
  }
}
