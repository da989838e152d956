import { afterAll, beforeAll, expect, test } from 'vitest'
import { suggestedQuestions } from '#contract/support.ts'
import { configureTenant } from '../tenants/configure-tenant.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { faq } from './testing/faq.ts'

const by = { performer: 'test', now: new Date() }

let server: TestServer
const tokens: Record<string, string> = {}

const addLine = (tenantId: string, number: string, nickname: string, customName: string | null, group: string) =>
  server.database.transaction({ tenantId }, async (_, client) => {
    const credential = await client.query(
      `insert into vendor_credentials (tenant_id, base_url, token_url, client_id, client_secret)
       values ($1, 'http://127.0.0.1/', 'http://127.0.0.1/', 'client', '\\x00')
       on conflict (tenant_id, client_id) do update set base_url = excluded.base_url returning id`,
      [tenantId],
    )
    await client.query(
      `with line as (
         insert into service_lines (tenant_id, credential_id, service_line_number, nickname, custom_name, group_name,
           account_group, active, public_ip)
         values ($1, $2, $3, $4, $5, $6, 'Dishboard', true, false) returning id),
       terminal as (
         insert into terminals (tenant_id, credential_id, service_line_id, device_id, kit_serial)
         select $1, $2, id, $3 || '-device', replace($3, 'SL-', 'KIT') from line returning id),
       state as (insert into status_intervals (tenant_id, terminal_id, started_at, noted_at, status)
         select $1, id, '2026-11-15T11:00:00Z', '2026-11-15T11:00:00Z', 'online' from terminal)
       insert into latest (tenant_id, terminal_id, at, alerts)
       select $1, id, '2026-11-15T12:00:00Z', '{}' from terminal`,
      [tenantId, credential.rows[0].id, number, nickname, customName, group],
    )
  })

beforeAll(async () => {
  server = await startTestServer()
  for (const tenantId of ['a', 'b']) {
    await server.addUser(tenantId)
    const config = {
      company_name: 'Company',
      support_email: 'help@a.example',
      ticket: 'email',
      chatbotEnabled: true,
    } as const
    await server.database.transaction({ tenantId }, (db) =>
      configureTenant(db, tenantId, by, { config, faq: tenantId === 'a' ? faq : [], widgetOrigins: [] }),
    )
    tokens[tenantId] = (await server.signIn(tenantId)).access
  }
  await server.addUser('a', { email: 'boss@mail.example', role: 'admin', username: 'staff' })
  tokens.admin = (await server.signIn('a', 'boss@mail.example')).access
  await addLine('a', 'SL-0001', 'nome-1', 'Nome School', 'north')
  await addLine('a', 'SL-0002', 'Nome', null, 'north')
  await addLine('a', 'SL-0003', 'kotzebue', 'Clinic', 'south')
  await addLine('b', 'SL-0009', 'bethel', 'Harbor', 'north')
})
afterAll(() => server.close())

const ask = async (question: string, user?: string, timeZone?: string) => {
  const token = user && tokens[user]
  const body = { question, ...(timeZone && { timeZone }) }
  return (await server.call('a', 'POST', '/api/assistant/', { body, ...(token && { token }) })).body
}

const setStatus = (tenantId: string, nickname: string, status: string, alerts: string[] = []) =>
  server.database.transaction({ tenantId }, async (_, client) => {
    await client.query(
      `with terminal as (
         select terminals.id from terminals join service_lines as line on line.tenant_id = terminals.tenant_id
           and line.id = terminals.service_line_id where line.tenant_id = $1 and line.nickname = $2),
       state as (update status_intervals set status = $3 where terminal_id in (select id from terminal))
       update latest set alerts = $4 where terminal_id in (select id from terminal)`,
      [tenantId, nickname, status, alerts],
    )
  })

/** Sets the line's usage in this cycle; with a pool, the line is in it. */
const setUsage = (
  tenantId: string,
  nickname: string,
  usedGb: number,
  limitGb: number,
  pool?: [string, number, number],
) =>
  server.database.transaction({ tenantId }, async (_, client) => {
    await client.query(
      `insert into line_usage (tenant_id, service_line_id, cycle_start, cycle_end, priority_gb, standard_gb,
         opt_in_priority_gb, non_billable_gb, usage_limit_gb)
       select $1, id, '2026-11-01', '2026-12-01', $3, 0, 0, 0, $4 from service_lines
       where tenant_id = $1 and nickname = $2`,
      [tenantId, nickname, usedGb, limitGb],
    )
    if (!pool) return
    await client.query(
      `with pool as (
         insert into pools (tenant_id, name, group_name, over_limit_behavior, usage_limit_gb, next_usage_limit_gb,
           anchor_day, cycle_start, cycle_end, used_gb, created_at)
         select $1, $3, group_name, 'Soft Cap', $5, $5, 1, '2026-11-01', '2026-12-01', $4, now()
         from service_lines where tenant_id = $1 and nickname = $2 returning id)
       insert into pool_lines (tenant_id, service_line_id, pool_id)
       select $1, line.id, pool.id from service_lines as line, pool where line.tenant_id = $1 and line.nickname = $2`,
      [tenantId, nickname, ...pool],
    )
  })

test('a visitor gets answers from the entries of this tenant only', async () => {
  const question = 'How do I restart my terminal?'
  expect(await ask(question)).toMatchObject({ source: 'faq', offersTicket: false })
  const other = await server.call('b', 'POST', '/api/assistant/', { body: { question } })
  expect(other.body).toMatchObject({ source: 'nothing', offersTicket: true })
})

test.for(suggestedQuestions.visitor)('a visitor who asks "%s" gets an answer at every reseller', async (question) => {
  expect(await ask(question)).toMatchObject({ source: 'faq' })
  const other = await server.call('b', 'POST', '/api/assistant/', { body: { question } })
  expect(other.body).toMatchObject({ source: 'faq', offersTicket: false })
})

test.for(suggestedQuestions.user)('a user who asks "%s" gets an answer', async (question) => {
  for (const user of ['a', 'admin']) expect((await ask(question, user)).source).not.toBe('nothing')
})

test('a signed-in user gets the status of a terminal by any of its names', async () => {
  for (const name of ['KIT0001', 'kit0001', 'SL-0001', 'nome-1', 'Nome School', 'nome school']) {
    const answer = await ask(`Is ${name} online?`, 'a')
    expect(answer).toMatchObject({ source: 'terminals', terminals: [{ nickname: 'nome-1', status: 'online' }] })
    expect(answer.answer).toBe(
      'Nome School is online since Nov 15, 2026, 11:00 UTC. It last reported on Nov 15, 2026, 12:00 UTC.',
    )
  }
  expect((await ask('KIT0001', 'a')).source).toBe('terminals')
})

test('prefers the longer name and describes each terminal that is named', async () => {
  expect((await ask('Is Nome School up?', 'a')).terminals).toHaveLength(1)
  expect((await ask('status of Nome and KIT0001', 'a')).terminals).toHaveLength(2)
})

test('does not match a name inside a longer word', async () => {
  expect((await ask('Is Nomen online?', 'a')).source).toBe('nothing')
  expect((await ask('Is KIT00012 online?', 'a')).source).toBe('nothing')
})

test('gives the same answer for terminals of another group, of another tenant and unknown ones', async () => {
  const askAbout = async (kit: string) => (await ask(`Is ${kit} online?`, 'a')).answer.replace(kit, 'KIT')
  const missing = await askAbout('KIT4711')
  expect(missing).toContain('I cannot find terminal KIT among your terminals.')
  expect(await askAbout('KIT0003')).toBe(missing)
  expect(await askAbout('KIT0009')).toBe(missing)
  expect((await ask('Is Clinic online?', 'a')).terminals).toEqual([])
  expect((await ask('Is Clinic online?', 'admin')).terminals).toHaveLength(1)
})

test('a visitor who asks about a terminal is invited to sign in', async () => {
  const answer = await ask('Is KIT0001 online?')
  expect(answer).toMatchObject({ source: 'nothing', terminals: [] })
  expect(answer.answer).toContain('Please sign in')
})

test('does not report the status when a question names a terminal but is about something else', async () => {
  expect(await ask('How do I restart my terminal Nome?', 'a')).toMatchObject({ source: 'faq' })
  expect(await ask('Who painted Nome School?', 'a')).toMatchObject({ source: 'nothing', offersTicket: true })
})

test('writes times in the tenant’s zone for a user without one', async () => {
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.updateTable('tenant_settings').set({ time_zone: 'America/Toronto' }).execute(),
  )
  await setStatus('a', 'nome-1', 'offline')
  expect((await ask('Which terminals are offline?', 'a')).answer).toContain('since Nov 15, 2026, 06:00 EST')
})

test('lists the terminals that are offline, of the user’s group only, in the user’s time zone', async () => {
  await setStatus('a', 'nome-1', 'offline')
  await setStatus('a', 'kotzebue', 'offline')
  await setStatus('b', 'bethel', 'offline')
  for (const question of [
    'Which terminals are offline?',
    'what is down right now',
    'Is anything offline?',
    'list offline',
  ]) {
    const answer = await ask(question, 'a', 'America/Anchorage')
    expect(answer.answer).toBe('1 of your 2 terminals is offline:\n• Nome School, since Nov 15, 2026, 02:00 AKST')
    expect(answer).toMatchObject({
      source: 'terminals',
      terminals: [{ nickname: 'nome-1', status: 'offline' }],
      links: [{ page: '/dashboard', status: 'offline' }],
    })
  }
  const all = await ask('Which terminals are offline?', 'admin')
  expect(all.terminals.map(({ nickname }: { nickname: string }) => nickname)).toEqual(['kotzebue', 'nome-1'])
  expect((await ask('How many terminals are online?', 'a')).answer).toBe('1 of your 2 terminals is online.')
  expect((await ask('Which terminals are disabled?', 'a')).answer).toBe('None of your 2 terminals is disabled.')
  expect((await ask('Which terminals are offline?')).answer).toContain('Please sign in')
})

test('explains what is wrong with a terminal, with what its alerts mean', async () => {
  await setStatus('a', 'Nome', 'online', ['mast_not_vertical', 'brand_new_alert'])
  const { answer } = await ask('What is wrong with Nome?', 'a')
  expect(answer).toContain('Nome is online since')
  expect(answer).toContain('Mast is not vertical: The dish is tilted and may lose satellites.')
  expect(answer).toContain('It reports the alert brand_new_alert.')
  expect((await ask('Why is Nome School offline?', 'a')).answer).toContain('Check its power and cables')
  expect((await ask('What is wrong with Clinic?', 'a')).source).toBe('nothing')
  expect((await ask('Which terminals have alerts?', 'a')).answer).toContain(
    '• Nome: Mast is not vertical and brand_new_alert',
  )
})

test('says how much data is left in a line, and in pools to those who manage them', async () => {
  await setUsage('a', 'nome-1', 120, 500, ['NORTH pool', 900, 1000])
  await setUsage('a', 'kotzebue', 700, 500, ['SOUTH pool', 1200, 1000])
  const own = await ask('How much data is left on Nome School?', 'a')
  expect(own.answer).toBe(
    'Nome School has used 120 of 500 GB; 380 GB are left until Dec 1. It shares the pool NORTH pool, which has used 900 of 1,000 GB; 100 GB are left.',
  )
  expect(own).toMatchObject({ source: 'usage', links: [{ page: '/terminaltable' }] })
  const general = await ask('How much data do I have left?', 'a')
  expect(general.answer).toContain('Nome School has used 120 of 500 GB')
  for (const question of ['How much data is left in SOUTH pool?', 'How much data is left in the NORTH pool?'])
    expect(JSON.stringify(await ask(question, 'a'))).not.toMatch(/1,200|Clinic/)
  const managed = await ask('How much data is left in SOUTH pool?', 'admin')
  expect(managed.answer).toBe(
    'The pool SOUTH pool has used 1,200 of 1,000 GB; it is 200 GB over its limit until Dec 1.',
  )
  expect((await ask('How much data is left in the pools?', 'admin')).answer.split('\n')).toHaveLength(2)
})

test('explains how to use the portal to those who may, after the entries of the tenant', async () => {
  expect((await ask('How do I restart a terminal?', 'a')).answer).toBe('Press Reboot on its page.')
  expect(await ask('How do I export a CSV file?', 'a')).toMatchObject({
    source: 'faq',
    links: [{ page: '/terminaltable' }],
  })
  expect(await ask('How do I add a user?', 'admin')).toMatchObject({ source: 'faq', links: [{ page: '/admin-page' }] })
  for (const question of ['How do I add a user?', 'How do I create a pool?'])
    expect(await ask(question, 'a')).toMatchObject({ source: 'nothing', links: [], offersTicket: true })
})

test('finds terminals by a part of their names, but not by words that are in none', async () => {
  for (const question of ['Is the school online?', 'What is wrong with the school?', 'How is the school?'])
    expect((await ask(question, 'a')).terminals).toMatchObject([{ nickname: 'nome-1' }])
  for (const question of [
    'What is wrong with the school bus?',
    'Is my school report down?',
    'What is wrong with Scho?',
  ])
    expect((await ask(question, 'a')).terminals).toEqual([])
  expect((await ask('Is the clinic online?', 'a')).terminals).toEqual([])
})

test('explains a status when asked what it means, and lists terminals when asked for them', async () => {
  for (const status of ['offline', 'No Data', 'disabled'])
    expect(await ask(`What does ${status} mean?`, 'a')).toMatchObject({ source: 'faq', terminals: [] })
  for (const question of [
    'Is everything online?',
    'Is everything OK?',
    'Is my internet down?',
    'How many sites do we have?',
  ])
    expect(await ask(question, 'a')).toMatchObject({ source: 'terminals' })
  for (const question of [
    'Which pool is almost full?',
    'Is any pool over its limit?',
    'When does my billing cycle end?',
  ])
    expect(await ask(question, 'a')).toMatchObject({ source: 'usage' })
})

test('understands typos and names without their accents', async () => {
  for (const question of ['Which terminals are offlne?', 'termnals offline', 'Which termianls are oflfine?'])
    expect((await ask(question, 'a')).answer).toContain('of your 2 terminals')
  expect((await ask('How many gigabtes are left in SOUTH pool?', 'admin')).answer).toContain('1,200 of 1,000 GB')
  expect(await ask('How do I dowload a csv?', 'a')).toMatchObject({
    source: 'faq',
    links: [{ page: '/terminaltable' }],
  })
  const rename = (name: string) =>
    server.database.transaction({ tenantId: 'a' }, (_, client) =>
      client.query(`update service_lines set custom_name = $1 where nickname = 'nome-1'`, [name]),
    )
  await rename('Utqiaġvik Lodge')
  for (const name of ['Utqiaġvik Lodge', 'Utqiagvik Lodge', 'utqiagvik lodge'])
    expect((await ask(`When was ${name} last seen?`, 'a')).answer).toContain('Utqiaġvik Lodge is')
  expect((await ask('Is Utqiagvik online?', 'a')).terminals).toMatchObject([{ nickname: 'nome-1' }])
  await rename('Nome School')
})

test('does nothing itself, and says how to do it, with a link to the terminal', async () => {
  for (const question of ['reboot Nome School', 'Can you please restart Nome School?'])
    expect(await ask(question, 'a')).toMatchObject({
      answer: 'I only answer questions. Press Reboot on its page.',
      terminals: [{ nickname: 'nome-1' }],
    })
})

test('says how to reach a person', async () => {
  for (const question of ['How do I contact support?', 'Can I talk to a person?', 'What is your phone number?', 'help'])
    for (const user of [undefined, 'a'])
      expect(await ask(question, user)).toMatchObject({
        answer: 'You can write to help@a.example or send a ticket.',
        offersTicket: true,
      })
  expect(await ask('How much is my bill?', 'a')).toMatchObject({ source: 'nothing', offersTicket: true })
})

test('lists only what is over its limit', async () => {
  const pools = await ask('Which pool is over its limit?', 'admin')
  expect(pools.answer).toContain('SOUTH pool')
  expect(pools.answer).not.toContain('NORTH pool')
  expect((await ask('Which terminals are over their limit?', 'a')).answer).toBe(
    'No line is known to be over its limit.',
  )
  expect((await ask('Which terminals are over their limit?', 'admin')).answer).toMatch(
    /over their limits:\nClinic has used/,
  )
})

test('says which pools may run out', async () => {
  for (const question of ['Which pools will run out before the end of the cycle?', 'Are any pools at risk?'])
    expect((await ask(question, 'admin')).answer).toMatch(/forecast|likely to run out|may run out/)
})

test('says why terminals that are not named are down, if they are few', async () => {
  const why = await ask('Why is my terminal offline?', 'a')
  expect(why.answer).toContain('Nome School is offline since')
  expect(why.answer).toContain('Check its power and cables')
  expect((await ask('Why is my terminal disabled?', 'a')).answer).toBe('None of your 2 terminals is disabled.')
})

test('answers a greeting and thanks', async () => {
  expect((await ask('Hello!', 'a')).answer).toContain('Ask about your terminals')
  expect((await ask('Thanks a lot!', 'a')).answer).toBe('You are welcome.')
})

test('refuses a time zone that does not exist', async () => {
  const body = { question: 'Which terminals are offline?', timeZone: 'Mars/Olympus' }
  expect((await server.call('a', 'POST', '/api/assistant/', { body })).status).toBe(400)
})

test('a tenant without the chatbot has no assistant', async () => {
  await server.database.transaction({ tenantId: 'b' }, (db) =>
    configureTenant(db, 'b', by, { config: { company_name: 'Company b' }, faq, widgetOrigins: [] }),
  )
  const response = await server.call('b', 'POST', '/api/assistant/', { body: { question: 'reboot' } })
  expect(response.status).toBe(404)
})

test('counts a line without a terminal as the dashboard does: it sends no data', async () => {
  await server.database.transaction({ tenantId: 'a' }, (_, client) =>
    client.query(
      `insert into service_lines (tenant_id, credential_id, service_line_number, nickname, group_name, account_group, active,
         public_ip)
       select tenant_id, credential_id, 'SL-EMPTY', 'Empty Depot', group_name, account_group, true, false
       from service_lines where nickname = 'nome-1'`,
    ),
  )
  const { answer } = await ask('Which terminals are silent?', 'a')
  expect(answer).toMatch(/^1 of your 3 terminals sends no data:\n• Empty Depot$/)
})
