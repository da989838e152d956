import { afterAll, beforeAll, expect, test } from 'vitest'
import { configureTenant } from '../tenants/configure-tenant.ts'
import type { Faq } from '../tenants/settings.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { findFaqAnswer } from './match-faq.ts'

const faq: Faq = [
  {
    question: 'How do I restart my terminal?',
    answer: 'Press Reboot on its page.',
    keywords: ['reboot', 'How can I reboot my dish?', 'power cycle'],
  },
  { question: 'What does obstruction mean?', answer: 'Something stands between dish and sky.', keywords: [] },
  { question: 'How is my data usage counted?', answer: 'By the vendor, in UTC days.', keywords: ['gigabytes'] },
  { question: 'How do I change my password?', answer: 'In your profile.', keywords: [] },
  { question: 'How do I change my phone number?', answer: 'In your profile, under SMS.', keywords: [] },
]

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
  await addLine('b', 'SL-0009', 'bethel', 'Harbour', 'north')
})
afterAll(() => server.close())

const ask = async (question: string, user?: string) => {
  const token = user && tokens[user]
  return (await server.call('a', 'POST', '/api/assistant/', { body: { question }, ...(token && { token }) })).body
}

test('finds the answer of the only matching entry, also for other forms and synonyms', () => {
  for (const question of [
    'How do I restart my terminal?',
    'how to restart terminals',
    'reboot',
    'How can I reboot my dish?',
    'Restarting the terminal',
  ])
    expect(findFaqAnswer(question, faq)).toBe('Press Reboot on its page.')
  expect(findFaqAnswer('what does OBSTRUCTION mean', faq)).toBe('Something stands between dish and sky.')
})

test('finds no answer when no entry or two entries match', () => {
  for (const question of ['How do I cook rice?', 'change', 'the', 'Can I restart my contract in another country?', ''])
    expect(findFaqAnswer(question, faq)).toBeUndefined()
  expect(findFaqAnswer('How do I change my password and phone number?', faq)).toBeUndefined()
  const twins = ['line', 'line name'].map((what) => ({
    question: `Rename ${what}`,
    answer: what,
    keywords: ['rename'],
  }))
  expect(findFaqAnswer('rename', twins)).toBeUndefined()
})

test('a visitor gets answers from the entries of this tenant only', async () => {
  expect(await ask('What does obstruction mean?')).toMatchObject({ source: 'faq', offersTicket: false })
  const other = await server.call('b', 'POST', '/api/assistant/', { body: { question: 'What does obstruction mean?' } })
  expect(other.body).toMatchObject({ source: 'nothing', offersTicket: true })
})

test('a signed-in user gets the status of a terminal by any of its names', async () => {
  for (const name of ['KIT0001', 'kit0001', 'SL-0001', 'nome-1', 'Nome School', 'nome school']) {
    const answer = await ask(`Is ${name} online?`, 'a')
    expect(answer).toMatchObject({ source: 'terminals', terminals: [{ nickname: 'nome-1', status: 'online' }] })
    expect(answer.answer).toBe(
      'Nome School is online since 15 November 2026 at 11:00 UTC. It last reported on 15 November 2026 at 12:00 UTC.',
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

test('a tenant without the chatbot has no assistant', async () => {
  await server.database.transaction({ tenantId: 'b' }, (db) =>
    configureTenant(db, 'b', by, { config: { company_name: 'Company b' }, faq, widgetOrigins: [] }),
  )
  const response = await server.call('b', 'POST', '/api/assistant/', { body: { question: 'reboot' } })
  expect(response.status).toBe(404)
})
