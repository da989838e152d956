import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabaseBefore, type DatabaseBefore } from '../testing/database-before.ts'

let target: DatabaseBefore
beforeAll(async () => {
  target = await createDatabaseBefore('0074_phone_numbers')
})
afterAll(() => target.close())

test('rewrites the ten digits of settings, stops and texts of every tenant in E.164 form', async () => {
  const { client } = target
  for (const tenant of ['a', 'b']) {
    const userId = await target.addTenant(tenant)
    await client.query(
      "insert into notification_settings (tenant_id, user_id, phone_number) values ($1, $2, '9075550101')",
      [tenant, userId],
    )
    await client.query("insert into sms_stops values ($1, '9075550101', now())", [tenant])
    await client.query(
      `insert into messages (tenant_id, channel, recipient, text, message_id)
       values ($1, 'sms', '9075550101', 'x', 'x'), ($1, 'email', '9075550101', 'x', 'x')`,
      [tenant],
    )
  }
  await target.migrate()
  const { rows } = await client.query(
    `select tenant_id, phone_number as number, 'settings' as place from notification_settings
     union all select tenant_id, phone_number, 'stops' from sms_stops
     union all select tenant_id, recipient, channel from messages
     order by 1, 3`,
  )
  expect(rows).toEqual(
    ['a', 'b'].flatMap((tenant_id) => [
      { tenant_id, number: '9075550101', place: 'email' },
      { tenant_id, number: '+19075550101', place: 'settings' },
      { tenant_id, number: '+19075550101', place: 'sms' },
      { tenant_id, number: '+19075550101', place: 'stops' },
    ]),
  )
})
