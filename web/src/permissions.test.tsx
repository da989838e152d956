import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { usePermissions } from './permissions.ts'
import { setUpBrowser } from './testing/browser.ts'
import { tokens } from './tokens.ts'

setUpBrowser()

const Permissions = () => <i>{usePermissions('plan_manager').plan_manager ? 'allowed' : 'not allowed'}</i>

/** With permissions in the query cache, as on a signed-in page. */
const renderPermissions = (session: object | undefined) => {
  const queries = new QueryClient()
  queries.setQueryData(['session'], session)
  queries.setQueryData(['permissions', 'plan_manager'], { plan_manager: true })
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <Permissions />
    </QueryClientProvider>,
  )
}

const user = { customerName: 'Ada', email: 'ada@example.com', role: 'user' }

test('returns the permissions of the signed-in user', () => {
  tokens.store({ access: 'token' })
  expect(renderPermissions(user)).toContain('>allowed<')
})

test('grants nothing to a signed-out user, whatever is still in the query cache', () => {
  expect(renderPermissions(user)).toContain('>not allowed<')
})

test('grants nothing while the session is being checked', () => {
  tokens.store({ access: 'token' })
  expect(renderPermissions(undefined)).toContain('>not allowed<')
})
