import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabaseBefore, type DatabaseBefore } from '../testing/database-before.ts'

let target: DatabaseBefore
beforeAll(async () => {
  target = await createDatabaseBefore('0110_sealed_messages')
})
afterAll(() => target.close())

test('no code or password of the version before stays in clear text, whatever became of its mail', async () => {
  const { client } = target
  for (const tenant of ['a', 'b']) {
    await target.addTenant(tenant)
    // That version deleted the body when a message was sent or abandoned.
    for (const [state, text] of Object.entries({ queued: 'Code 123456', sending: 'Code 123456', sent: '', failed: '' }))
      await client.query(
        `insert into messages (tenant_id, channel, recipient, subject, text, html, message_id, is_secret, state)
         values ($1, 'email', $2, 'secret', $3, nullif($3, ''), 'x', true, $2)`,
        [tenant, state, text],
      )
    await client.query(
      `insert into messages (tenant_id, channel, recipient, subject, text, message_id)
       values ($1, 'email', 'queued', 'notice', 'Nome School is offline', 'x')`,
      [tenant],
    )
  }
  await target.migrate()
  const { rows } = await client.query('select tenant_id, subject, recipient as was, state, text, html from messages')
  const bodies = rows.filter(({ subject }) => subject === 'secret').map(({ text, html }) => [text, html])
  expect(bodies).toEqual(Array.from({ length: 8 }, () => ['', null]))
  expect(rows.filter(({ state }) => state === 'queued' || state === 'sending')).toEqual(
    ['a', 'b'].map((tenant_id) => ({
      tenant_id,
      subject: 'notice',
      was: 'queued',
      state: 'queued',
      text: 'Nome School is offline',
      html: null,
    })),
  )
})
