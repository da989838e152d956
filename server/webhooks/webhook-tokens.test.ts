import { expect, test } from 'vitest'
import { addApiToken } from '../testing/add-api-token.ts'
import { setupWebhooks } from './testing/setup-webhooks.ts'

const webhooks = setupWebhooks()
const { create, listen } = webhooks

test('a token with the scope manages webhooks without a password; the entries name it and the administrators get a mail', async () => {
  const desk = await listen()
  const { rows } = await webhooks.superuser.query("select id from users where email = 'admin@a.example'")
  const { token } = await addApiToken(webhooks.superuser, 'a', { userId: rows[0].id, scopes: ['webhooks:write'] })
  webhooks.tokens.a = token
  const { webhook } = await create({ url: desk.url })
  const moved = { name: 'Desk', url: `${desk.url}moved`, format: 'standard', eventTypes: ['terminal.status_changed'] }
  const change = await webhooks.call('a', 'PUT', `${webhook.id}/`, { ...moved, target: { kind: 'all' } })
  expect(change.status).toBe(200)
  expect((await webhooks.call('a', 'POST', `${webhook.id}/rotate-secret/`)).status).toBe(200)
  expect((await webhooks.call('a', 'GET', '')).body.error).toBe('token_scope')
  const entries = await webhooks.superuser.query(
    "select details ->> 'token' as token from audit_log where tenant_id = 'a' and action like 'webhook.%' order by seq desc limit 3",
  )
  expect(entries.rows).toEqual([{ token: 'Script' }, { token: 'Script' }, { token: 'Script' }])
  const mails = await webhooks.superuser.query(
    "select subject from messages where recipient = 'admin@a.example' order by subject",
  )
  expect(mails.rows.map(({ subject }) => subject)).toEqual([
    'The webhook “Desk” has a new address',
    'The webhook “Desk” has a new secret',
    'The webhook “Desk” was created',
  ])
  const exports = await webhooks.superuser.query(
    "select details ->> 'what' as what from security_events where kind = 'export'",
  )
  expect(exports.rows).toEqual([
    { what: `webhook to ${new URL(desk.url).host}` },
    { what: `webhook to ${new URL(desk.url).host}` },
  ])
})
