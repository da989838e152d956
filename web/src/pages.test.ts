import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { getPageName, listNavEntries } from './pages.ts'
import { createAppRouter } from './routes.tsx'

const router = createAppRouter(new QueryClient())

test.each([
  ['/dashboard?tenant=dishboard&status=online', 'Dashboard'],
  ['/plan-manager', 'Plan Manager'],
  ['/admin-page', 'Admin'],
  ['/editing-logs?action=access.set', 'Editing Log'],
  ['/terminal/Nome%20School?period=15', 'terminal Nome School'],
  ['/terminal/100%', '/terminal/100%'],
  ['/dashboard/else', '/dashboard/else'],
  ['/something/else#there', '/something/else'],
])('%s is offered as %s', (href, name) => {
  expect(getPageName(router, href)).toBe(name)
})

test('the navbar lists its pages in order, with who sees them', () => {
  expect(listNavEntries(router).map(({ label, access, permission }) => [label, permission ?? access])).toEqual([
    ['Home', 'public'],
    ['Dashboard', 'user'],
    ['Support', 'public'],
    ['Admin', 'admin'],
    ['Access Control', 'admin'],
    ['Plan Manager', 'plan_manager'],
  ])
})
