import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatDateTime } from '#contract/format/times.ts'
import { ensurePartitions, formatUtcDay } from '../telemetry/partitions.ts'
import { configureTenant } from '../tenants/configure-tenant.ts'
import { addLine } from '../testing/add-line.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

const by = { performer: 'test', now: new Date() }
const NOW = Date.now()
/** However long the tests take, the sample is a current one. */
const CURRENT = new Date(NOW + 3_600_000)
const ago = (minutes: number) => new Date(NOW - minutes * 60_000)

interface Sample {
  name: string
  group?: string
  at?: Date
  status?: string
  down?: number
  latency?: number | null
  signal?: number
  drop?: number
  obstruction?: number
  clients?: number
  used?: number
  line?: object
}

let server: TestServer
const tokens: Record<string, string> = {}

const addTerminal = (tenantId: string, sample: Sample) =>
  server.database.transaction({ tenantId }, async (db, client) => {
    const { name, group = 'north', at = CURRENT, status = 'online', clients = 4, used = 100, line } = sample
    const { down = 80, latency = 40, signal = 0.95, drop = 0.001, obstruction = 0.002 } = sample
    const { lineId, terminalIds } = await addLine(db, tenantId, {
      service_line_number: `SL-${name.replaceAll(' ', '')}`,
      nickname: name.toLowerCase().replaceAll(' ', '-'),
      custom_name: name,
      group_name: group,
      product_name: 'Mobile Priority 50GB',
      street: '1 Front St',
      city: 'Nome',
      state: 'AK',
      metadata1: 'Key at the store',
      ...line,
    })
    const values = [tenantId, terminalIds[0]]
    await client.query(
      `insert into latest (tenant_id, terminal_id, at, downlink_mbps, uplink_mbps, latency_ms, ping_drop, signal_quality,
         obstruction, uptime_s, software_version, alerts)
       values ($1, $2, $3, $4, 12.5, $5, $6, $7, $8, 183840, '2026.11.2', '{}')`,
      [...values, at, down, latency, drop, signal, obstruction],
    )
    await client.query(
      `insert into status_intervals (tenant_id, terminal_id, started_at, noted_at, status)
       values ($1, $2, $3, $3, $4)`,
      [...values, at, status],
    )
    await client.query(
      `insert into latest_addresses (tenant_id, terminal_id, at, ipv4, ipv6_ue, ipv6_cpe)
       values ($1, $2, $3, '{100.64.0.7}', '{2001:db8::7}', '{}')`,
      [...values, at],
    )
    await client.query(
      `with router as (
         insert into routers (tenant_id, router_id, terminal_id) values ($1, $4, $2) returning id)
       insert into latest_routers (tenant_id, router_id, at, clients) select $1, id, $3, $5 from router`,
      [...values, at, `Router-${name}`, clients],
    )
    await client.query(
      `insert into line_usage (tenant_id, service_line_id, cycle_start, cycle_end, priority_gb, standard_gb,
         opt_in_priority_gb, non_billable_gb, usage_limit_gb)
       values ($1, $2, '2026-11-01', '2026-12-01', $3, 0, 0, 0, 500)`,
      [tenantId, lineId, used],
    )
    return terminalIds[0] as number
  })

const STALE = ago(3 * 24 * 60 + 5)

beforeAll(async () => {
  server = await startTestServer()
  const config = {
    company_name: 'Company',
    support_email: 'help@a.example',
    ticket: 'email',
    chatbotEnabled: true,
  } as const
  for (const tenantId of ['a', 'b'])
    await server.database.transaction({ tenantId }, (db) =>
      configureTenant(db, tenantId, by, { config, faq: [], widgetOrigins: [] }),
    )
  for (const [name, username, role] of [
    ['north', 'north', 'user'],
    ['admin', 'staff', 'admin'],
    ['fleet', 'fleet', 'user'],
    ['empty', 'empty', 'user'],
  ] as const) {
    const userId = await server.addUser('a', { email: `${name}@mail.example`, username, role })
    tokens[name] = (await server.signIn('a', `${name}@mail.example`)).access
    if (name === 'fleet')
      await server.database.transaction({ tenantId: 'a' }, (_, client) =>
        client.query(
          `insert into feature_grants (tenant_id, user_id, item, value) values ('a', $1, 'metadata', 'read_only')`,
          [userId],
        ),
      )
  }
  await addTerminal('a', { name: 'Nome School' })
  await addTerminal('a', {
    name: 'Utqiaġvik Lodge',
    at: STALE,
    status: 'offline',
    latency: 61.5,
    clients: 2,
    used: 300,
  })
  const boat = { is_mobile: true, latitude: 57.6, longitude: -152.2, public_ip: true }
  await addTerminal('a', { name: 'Boat', drop: 1, line: boat })
  await addTerminal('a', { name: 'Clinic', group: 'south', latency: 900 })
  for (let index = 1; index <= 7; index++)
    await addTerminal('a', {
      name: `Site ${index}`,
      group: 'fleet',
      down: index * 10,
      latency: index * 20,
      signal: index / 10,
      drop: index / 100,
      obstruction: index / 1000,
      clients: index,
      used: index * 50,
    })
  await addTerminal('b', { name: 'Harbor', latency: 999 })
})
afterAll(() => server.close())

const ask = async (question: string, user?: string, timeZone = 'America/Anchorage') => {
  const token = user && tokens[user]
  return (await server.call('a', 'POST', '/api/assistant/', { body: { question, timeZone }, ...(token && { token }) }))
    .body
}

const SPEED = 'Nome School carries 80.00 Mbps down and 12.50 Mbps up.'
const LATENCY = 'Nome School has a latency of 40.00 ms.'
const OWN_LATENCIES = /Nome School has a latency of 40.00 ms.*\n.*Utqiaġvik Lodge had a latency/s

/** Who asks, what, and what the answer has in it. */
const QUESTIONS: [user: string, question: string, answer: string | RegExp][] = [
  ['north', 'How fast is Nome School?', SPEED],
  ['north', 'how fast is nome-school right now', SPEED],
  ['north', 'What is the speed of Nome School?', SPEED],
  ['north', 'What download speed does Nome School get?', SPEED],
  ['north', 'Whats the bandwidth at Nome School', SPEED],
  ['north', 'How fast is the school?', SPEED],
  ['north', 'How fast is KIT-SL-NomeSchool-1?', SPEED],
  ['north', 'upload Nome School', SPEED],
  ['north', 'Can you tell me how fast Nome School is?', SPEED],
  ['north', 'Is Nome School slow?', /Nome School is online since.*\n.*nothing wrong.*\nNome School carries/s],
  ['north', 'Why is Nome School so slow?', /Nome School is online since.*\nNome School carries 80/s],
  ['north', 'What is the latency of Nome School?', LATENCY],
  ['north', 'Whats the ping of Nome School?', LATENCY],
  ['north', 'what is the latncy of Nome School', LATENCY],
  ['north', 'How is the latency of Nome School?', LATENCY],
  ['north', 'How high is the latency at Nome School currently?', LATENCY],
  ['north', 'Speed and latency of Nome School', /carries 80.*has a latency of 40/],
  ['north', 'latency of Utqiagvik Lodge', /^Utqiaġvik Lodge had a latency of 61.50 ms 3 d ago, on .* AK[SD]T\.$/],
  ['north', 'What is the packet loss of Nome School?', 'Nome School loses 0.1% of its packets.'],
  ['north', 'Does Nome School lose packets?', 'Nome School loses 0.1% of its packets.'],
  ['north', 'What is the ping drop rate of Nome School?', 'Nome School loses 0.1% of its packets.'],
  ['north', 'How strong is the signal of Nome School?', 'Nome School has a signal quality of 95.0%.'],
  ['north', 'signal quality Nome School', 'Nome School has a signal quality of 95.0%.'],
  ['north', 'Is Nome School obstructed?', 'Nome School has an obstructed sky 0.2% of the time.'],
  ['north', 'How much obstruction does Nome School have?', 'obstructed sky 0.2%'],
  ['north', 'What is the uptime of Nome School?', 'Nome School has been running for 2 days, 3 hours, 4 minutes.'],
  ['north', 'How long has Nome School been up?', 'has been running for 2 days'],
  ['north', 'When was Nome School last restarted?', 'has been running for 2 days'],
  ['north', 'How many devices are connected to Nome School?', 'Nome School has 4 connected devices.'],
  ['north', 'How many clients are on Utqiagvik Lodge?', /had 2 connected devices 3 d ago/],
  ['north', 'Where is Nome School?', 'Nome School is at 1 Front St, Nome, AK.'],
  ['north', 'What is the address of Nome School?', 'Nome School is at 1 Front St, Nome, AK.'],
  ['north', 'Where is the boat?', 'Boat is at 57.60° N, 152.20° W.'],
  ['north', 'Which plan has Nome School?', 'Nome School is on the plan Mobile Priority 50GB.'],
  ['north', 'What service plan is Nome School on?', 'on the plan Mobile Priority 50GB'],
  ['north', 'What is the IP of Nome School?', 'Nome School has the addresses IPv4 100.64.0.7 and IPv6 UE 2001:db8::7.'],
  ['north', 'What IPv4 address does Nome School have?', 'IPv4 100.64.0.7'],
  ['north', 'Does Boat have a public IP?', 'Its IP policy is public IP.'],
  ['north', 'Which software version does Nome School run?', 'runs the software version 2026.11.2'],
  ['north', 'What is the kit number of Nome School?', 'the kit number KIT-SL-NomeSchool-1'],
  ['north', 'Usage of Nome School', 'Nome School has used 100 of 500 GB'],
  ['north', 'How much has Nome School used?', 'Nome School has used 100 of 500 GB'],
  ['north', 'What is my latency?', OWN_LATENCIES],
  ['north', 'Which plan am I on?', /Nome School is on the plan.*\n.*Utqiaġvik Lodge is on the plan/s],
  ['north', 'Where are my terminals?', /Boat is at 57.*\nNome School is at 1 Front/s],
  ['north', 'Is Nome School faster than Boat?', /Boat carries 80.*\nNome School carries/s],
  ['fleet', 'Which terminal is slowest?', /^The lowest download throughput.*:\n• Site 1: 10.00 Mbps\n• Site 2/],
  ['fleet', 'Which terminal is the fastest?', /:\n• Site 7: 70.00 Mbps\n• Site 6/],
  ['fleet', 'Which terminal has the highest latency?', /^The highest latency of.*:\n• Site 7: 140.00 ms\n• Site 6/],
  ['fleet', 'highest latency', /• Site 7: 140.00 ms\n/],
  ['fleet', 'lowest ping', /• Site 1: 20.00 ms\n/],
  ['fleet', 'Which sites have a bad signal?', /^The lowest signal quality.*\n• Site 1: 10.0%/],
  ['fleet', 'Which terminal has the best signal?', /• Site 7: 70.0%\n/],
  ['fleet', 'Which terminal loses the most packets?', /• Site 7: 7.0%\n/],
  ['fleet', 'Are any terminals obstructed?', /• Site 7: 0.7%\n/],
  ['fleet', 'Which terminal uses the most data?', /billing cycle.*:\n• Site 7: 350 GB\n/],
  ['fleet', 'most data', /• Site 7: 350 GB\n/],
  ['fleet', 'Which site has the least data left?', /Site 7 has used 350 of 500 GB/],
  ['fleet', 'Which terminal has the most devices?', /• Site 7: 7 connected devices\n/],
  ['fleet', 'How many devices are connected?', /^28 devices are connected to your terminals that report now/],
  ['fleet', 'What is the latency?', /• Site 7: 140.00 ms\n/],
  ['fleet', 'What are the notes of Site 3?', 'The notes of Site 3: Key at the store.'],
  ['admin', 'highest latency', /^[^\n]*\n• Clinic: 900.00 ms\n/],
  ['admin', 'Which customer has Clinic?', 'Clinic belongs to the group south.'],
  ['admin', 'How many users are signed in to Dishboard?', 'I do not know'],
]

test.for(QUESTIONS)('%s asks "%s"', async ([user, question, expected]) => {
  const { answer } = await ask(question, user)
  if (typeof expected === 'string') expect(answer).toContain(expected)
  else expect(answer).toMatch(expected)
})

/** What it does not know, or does not do, leads to the ticket. */
const UNANSWERED: [user: string, question: string][] = [
  ['north', 'Who painted Nome School?'],
  ['north', 'Can I get a public address for Nome School?'],
  ['north', 'How do I change the plan of Nome School?'],
  ['north', 'Please upgrade the plan of Nome School'],
  ['north', 'How fast was Nome School yesterday?'],
  ['north', 'How much data did Nome School use yesterday?'],
  ['north', 'Please disable Nome School'],
  ['north', 'What was the average latency of Nome School last week?'],
  ['north', 'What are the notes of Nome School?'],
  ['north', 'Which customer has Nome School?'],
  ['north', 'Where are you?'],
  ['north', 'What is your address?'],
  ['north', 'How fast is a car?'],
  ['north', 'How fast is Clinic?'],
  ['north', 'What is the IP of KIT-SL-Clinic-1?'],
  ['north', 'What is the latency of Harbor?'],
  ['fleet', 'What is the IP address?'],
  ['fleet', 'Which software version do my terminals run?'],
]

test.for(UNANSWERED)('%s asks "%s" and is offered a ticket', async ([user, question]) => {
  expect(await ask(question, user)).toMatchObject({ source: 'nothing', terminals: [], offersTicket: true })
})

test('links to the terminals and to the table', async () => {
  expect(await ask('How fast is Nome School?', 'north')).toMatchObject({
    source: 'terminals',
    terminals: [{ nickname: 'nome-school', status: 'online' }],
    links: [],
    offersTicket: false,
  })
  expect(await ask('Which terminal is slowest?', 'fleet')).toMatchObject({
    terminals: [1, 2, 3, 4, 5].map((index) => ({ nickname: `site-${index}` })),
    links: [{ page: '/terminaltable' }],
  })
})

test('writes the time of an old value in the user’s zone', async () => {
  for (const zone of ['UTC', 'America/Anchorage']) {
    const { answer } = await ask('latency of Utqiaġvik Lodge', 'north', zone)
    expect(answer).toContain(`on ${formatDateTime(STALE, zone)}.`)
  }
})

test('a value that the newest sample lacks is the last known, with its age', async () => {
  const terminalId = await addTerminal('a', { name: 'Cabin', group: 'cabin', latency: null })
  await server.addUser('a', { email: 'cabin@mail.example', username: 'cabin' })
  tokens.cabin = (await server.signIn('a', 'cabin@mail.example')).access
  expect((await ask('latency of Cabin', 'cabin')).answer).toBe('The latency of Cabin is not known.')
  await ensurePartitions(server.database, [formatUtcDay(ago(10).getTime())])
  await server.database.transaction({ tenantId: 'a' }, (_, client) =>
    client.query(`insert into samples (tenant_id, terminal_id, at, latency_ms) values ('a', $1, $2, 55)`, [
      terminalId,
      ago(10),
    ]),
  )
  expect((await ask('latency of Cabin', 'cabin')).answer).toMatch(/^Cabin had a latency of 55.00 ms 10 min ago, on /)
})

test('values that are minutes old are said to be, and not compared, although the terminal counts as online', async () => {
  await addTerminal('a', { name: 'Mine', group: 'mine', at: ago(20) })
  await server.addUser('a', { email: 'mine@mail.example', username: 'mine' })
  tokens.mine = (await server.signIn('a', 'mine@mail.example')).access
  expect((await ask('latency of Mine', 'mine')).answer).toMatch(/^Mine had a latency of 40.00 ms \d+ min ago, on /)
  expect((await ask('Which terminal is slowest?', 'mine')).answer).toContain('None of your terminals')
})

test('has no terminals to compare for a user without any', async () => {
  expect((await ask('Which terminal is slowest?', 'empty')).answer).toContain('None of your terminals')
  expect((await ask('What is my latency?', 'empty')).answer).toBe('You have no terminals yet.')
})

test('invites visitors to sign in, and explains words to them', async () => {
  for (const question of ['How fast is my internet?', 'Which terminal is slowest?', 'What is the latency of KIT4711?'])
    expect(await ask(question)).toMatchObject({ source: 'nothing', answer: expect.stringContaining('Please sign in') })
  for (const question of ['What is latency?', 'What does packet loss mean?', 'What is signal quality?'])
    for (const user of [undefined, 'north']) expect(await ask(question, user)).toMatchObject({ source: 'faq' })
})

test('a line with two terminals is ranked by its data once', async () => {
  await server.database.transaction({ tenantId: 'a' }, (_, client) =>
    client.query(
      `insert into terminals (tenant_id, credential_id, service_line_id, device_id)
       select 'a', credential_id, id, 'second dish' from service_lines where custom_name = 'Site 7'`,
    ),
  )
  const { answer, terminals } = await ask('most data', 'fleet')
  expect(answer).toMatch(/• Site 7: 350 GB\n• Site 6: 300 GB\n/)
  expect(terminals.map(({ customname }: { customname: string }) => customname)).toEqual([
    'Site 7',
    'Site 6',
    'Site 5',
    'Site 4',
    'Site 3',
  ])
})
