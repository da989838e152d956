import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type ParsedLocation,
  retainSearchParams,
} from '@tanstack/react-router'
import * as z from 'zod/mini'
import type { Factor } from '#contract/identity.ts'
import { FleetFilter } from './parts/fleet/fleet-filter.ts'
import { prefetchDetails, prefetchFleet } from './parts/fleet/fleet-queries.ts'
import { preloadMap } from './parts/map/LazyTerminalMap.tsx'
import { Shell } from './parts/shell/Shell.tsx'
import { TableSearch } from './parts/table-search.ts'
import { PastSearch } from './past-search.ts'
import { AvailabilitySearch } from './screens/availability/availability-search.ts'
import { DashboardPage } from './screens/dashboard/DashboardPage.tsx'
import { DashboardSearch } from './screens/dashboard/dashboard-search.ts'
import { DeliveriesSearch } from './screens/deliveries/deliveries-search.ts'
import { ExecutiveSearch } from './screens/executive/executive-search.ts'
import { HomePage } from './screens/home/HomePage.tsx'
import { IncidentsSearch } from './screens/incidents/incidents-search.ts'
import { LogFilter } from './screens/logs/log-filter.ts'
import { MaintenanceSearch } from './screens/maintenance/maintenance-search.ts'
import { LogoutPage } from './screens/message/LogoutPage.tsx'
import { BrokenPage, ForbiddenPage, NotFoundPage } from './screens/message/MessagePages.tsx'
import { PlanManagerSearch } from './screens/plan-manager/plan-manager-search.ts'
import { ReportsSearch } from './screens/reports/reports-search.ts'
import { SecurityFilter } from './screens/security/security-filter.ts'
import { TerminalSearch } from './screens/terminal/terminal-search.ts'
import { tokens } from './tokens.ts'

// Every page of the app, in the order of the navbar. On localhost the query names the tenant, so links retain it, like the
// time that is shown.
const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  validateSearch: z.extend(PastSearch, { tenant: z.catch(z.optional(z.string()), undefined) }),
  search: { middlewares: [retainSearchParams(['tenant', 'at'])] },
  staticData: { title: 'Not found', access: 'public' },
  component: Shell,
  notFoundComponent: NotFoundPage,
})

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

// A list is requested while the session is still being checked; the page that shows it waits for the response.
const loadFleet = ({ context, location }: { context: { queries: QueryClient }; location: ParsedLocation<object> }) => {
  if (tokens.access && !('at' in location.search)) void prefetchFleet(context.queries).then(preloadMap)
}
const loadDetails = ({
  context,
  location,
}: {
  context: { queries: QueryClient }
  location: ParsedLocation<object>
}) => {
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

const adminPage = createRoute({
  getParentRoute: () => root,
  path: '/admin-page',
  staticData: { title: 'Users', access: 'admin', navLabel: 'Admin' },
  validateSearch: TableSearch,
  component: lazyRouteComponent(() => import('./screens/admin/AdminPage.tsx'), 'AdminPage'),
})

const deliveries = createRoute({
  getParentRoute: () => root,
  path: '/deliveries',
  staticData: { title: 'Deliveries', access: 'admin' },
  validateSearch: DeliveriesSearch,
  component: lazyRouteComponent(() => import('./screens/deliveries/DeliveriesPage.tsx'), 'DeliveriesPage'),
})

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  staticData: { title: 'Settings', access: 'admin' },
  component: lazyRouteComponent(() => import('./screens/settings/SettingsPage.tsx'), 'SettingsPage'),
})

const singleSignOn = createRoute({
  getParentRoute: () => root,
  path: '/single-sign-on',
  staticData: { title: 'Single Sign-On', access: 'admin' },
  component: lazyRouteComponent(() => import('./screens/single-sign-on/SingleSignOnPage.tsx'), 'SingleSignOnPage'),
})

const apiTokens = createRoute({
  getParentRoute: () => root,
  path: '/tokens',
  staticData: { title: 'API Tokens', access: 'admin' },
  component: lazyRouteComponent(() => import('./screens/tokens/TokensPage.tsx'), 'TokensPage'),
})

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  staticData: { title: 'Webhooks', access: 'admin' },
  component: lazyRouteComponent(() => import('./screens/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
})

const accessControl = createRoute({
  getParentRoute: () => root,
  path: '/access-control',
  staticData: { title: 'Access Control', access: 'admin', navLabel: 'Access Control' },
  validateSearch: TableSearch,
  component: lazyRouteComponent(() => import('./screens/access-control/AccessControlPage.tsx'), 'AccessControlPage'),
})

const editingLogs = createRoute({
  getParentRoute: () => root,
  path: '/editing-logs',
  staticData: { title: 'Editing Log', access: 'admin', deniedTo: '/' },
  validateSearch: LogFilter,
  component: lazyRouteComponent(() => import('./screens/logs/LogsPage.tsx'), 'LogsPage'),
})

const securityEvents = createRoute({
  getParentRoute: () => root,
  path: '/security-events',
  staticData: { title: 'Security Events', access: 'admin' },
  validateSearch: SecurityFilter,
  component: lazyRouteComponent(() => import('./screens/security/SecurityEventsPage.tsx'), 'SecurityEventsPage'),
})

const executive = createRoute({
  getParentRoute: () => root,
  path: '/dev-dashboard',
  staticData: { title: 'Executive Dashboard', access: 'admin' },
  validateSearch: ExecutiveSearch,
  component: lazyRouteComponent(() => import('./screens/executive/ExecutivePage.tsx'), 'ExecutivePage'),
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
      adminPage,
      editingLogs,
      securityEvents,
      deliveries,
      settings,
      singleSignOn,
      apiTokens,
      webhooks,
      accessControl,
      planManager,
      pool,
      executive,
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
    /** What the page asks when it opens. */
    asks?: 'reboot'
    /** A sign-in that began on another page and that the sign-in page finishes. */
    startedSignIn?: { codeSentTo?: string; factors?: Factor[]; isNewUser: boolean }
  }
}
