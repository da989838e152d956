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
import { setUpBrowser } from '../testing/browser.ts'
import { tokens } from '../tokens.ts'
import { AdminOnly } from './AdminOnly.tsx'

setUpBrowser()

const renderAdminPage = async (role: 'admin' | 'user') => {
  tokens.store({ access: 'token' })
  const queries = new QueryClient()
  queries.setQueryData(['session'], { customerName: 'Ada', email: 'ada@example.com', role })
  const root = createRootRoute({ component: Outlet })
  const guard = createRoute({ getParentRoute: () => root, id: 'admin', component: AdminOnly })
  const page = createRoute({ getParentRoute: () => guard, path: '/', component: () => 'All users' })
  const router = createRouter({
    routeTree: root.addChildren([guard.addChildren([page])]),
    history: createMemoryHistory(),
    isServer: true,
  })
  await router.load()
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}

test('shows an admin page to administrators only', async () => {
  expect(await renderAdminPage('admin')).toContain('All users')
  expect(await renderAdminPage('user')).not.toContain('All users')
})
