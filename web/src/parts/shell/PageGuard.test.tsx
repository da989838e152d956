import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { setUpBrowser } from '../../testing/browser.ts'
import { tokens } from '../../tokens.ts'
import { PageGuard } from './PageGuard.tsx'

setUpBrowser()

const admin = { title: 'Users', access: 'admin' } as const
const everyone = { title: 'Not found', access: 'public' } as const

const renderAdminPage = async (
  role: 'admin' | 'user' | 'visitor',
  path = '',
  duty: { newUser?: true; mustAddFactor?: true } = {},
) => {
  if (role === 'visitor') tokens.clear()
  else tokens.store({ access: 'token' })
  const queries = new QueryClient()
  if (role !== 'visitor')
    queries.setQueryData(['session'], { customerName: 'Ada', email: 'ada@example.com', role, ...duty })
  const root = createRootRoute({
    staticData: everyone,
    component: () => (
      <PageGuard>
        <Outlet />
      </PageGuard>
    ),
    notFoundComponent: () => 'Not found',
  })
  const page = createRoute({
    getParentRoute: () => root,
    path: '/admin-page',
    staticData: admin,
    component: () => 'All users',
  })
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [`/admin-page${path}`] }),
    isServer: true,
  })
  await router.load()
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}

test('shows an admin page to admins only', async () => {
  expect(await renderAdminPage('admin')).toContain('All users')
  expect(await renderAdminPage('user')).not.toContain('All users')
  expect(await renderAdminPage('visitor')).not.toContain('All users')
})

test('shows no page to a new user before the password is changed, nor before a required second factor is added', async () => {
  expect(await renderAdminPage('admin', '', { newUser: true })).not.toContain('All users')
  expect(await renderAdminPage('admin', '', { mustAddFactor: true })).not.toContain('All users')
})

test('shows the not-found page to everyone, even below a guarded page', async () => {
  expect(await renderAdminPage('visitor', '/no/such/page')).toContain('Not found')
})
