import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { TableSearch } from './parts/table-search.ts'
import { root } from './root-route.ts'
import { DeliveriesSearch } from './screens/deliveries/deliveries-search.ts'
import { ExecutiveSearch } from './screens/executive/executive-search.ts'
import { LogFilter } from './screens/logs/log-filter.ts'
import { SecurityFilter } from './screens/security/security-filter.ts'

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

/** The pages for administrators, in the order of the navbar. */
export const adminRoutes = [
  adminPage,
  editingLogs,
  securityEvents,
  deliveries,
  settings,
  singleSignOn,
  apiTokens,
  webhooks,
  accessControl,
  executive,
] as const
