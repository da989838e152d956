import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listEntries } from '../audit/queries.ts'
import { requestsPerMinute } from '../vendor/request-shares.ts'
import { type CommandedFleet, startCommandedFleet } from './testing/commanded-fleet.ts'

let fleet: CommandedFleet
let lines: { nickname: string; sl: string; device: string }[]
let at: number
beforeAll(async () => {
  fleet = await startCommandedFleet()
  lines = await fleet.listReportingLines('a')
  at = 0
})
afterAll(() => fleet.close())

let line: { nickname: string; sl: string; device: string }
/** Each test has its own line, as long as there are enough. */
beforeEach(() => {
  line = lines[at++ % lines.length] as typeof line
})

const path = (call: string) => `/${call}/${encodeURIComponent(line.nickname)}/`
const reboot = (name = 'north', device = line.device) =>
  fleet.send('a', name, path('reboot-terminal'), { terminal_id: device })
const setIp = (ip_policy: string) =>
  fleet.send('a', 'north', path('update-service-line-ip-policy'), { ip_policy, sl: line.sl })
const optIn = (opt_in: string, headers: Record<string, string> = {}) =>
  fleet.send('a', 'north', path('update-service-line-opt-in'), { opt_in, sl: line.sl }, headers)
const melt = (snowMeltMode: string) =>
  fleet.send('a', 'north', path('update-terminal-snow-melt-mode'), { snowMeltMode, terminal_id: line.device })

const newest = async () => (await fleet.receipts('a', line.nickname))[0]
const audited = () =>
  fleet.database.transaction({ tenantId: 'a' }, async (db) =>
    (await listEntries(db, 'a', {}, 2)).map(({ performer, action }) => ({ performer, action })),
  )

test('a reboot is accepted, then seen when the uptime of the terminal has restarted', async () => {
  expect(await reboot()).toMatchObject({ status: 200 })
  expect(await newest()).toMatchObject({
    kind: 'reboot',
    state: 'accepted',
    requestedBy: 'north@mail.example',
    deviceid: line.device,
    settledAt: null,
  })
  expect((await audited())[0]).toEqual({ performer: 'north@mail.example', action: 'terminal.reboot' })
  await fleet.passMin('a', 1)
  expect((await newest())?.state).toBe('accepted')
  await fleet.passMin('a', 2)
  expect(await newest()).toMatchObject({ state: 'seen', settledAt: fleet.clock.now })
  expect(await fleet.receipts('b', (await fleet.listReportingLines('b'))[0]?.nickname as string)).toEqual([])
})

test('a command that the vendor accepts and drops ends as not confirmed', async () => {
  fleet.simulator.play('commands-dropped')
  expect((await reboot()).status).toBe(200)
  fleet.simulator.stopScenario('commands-dropped')
  await fleet.passMin('a', 9)
  expect((await newest())?.state).toBe('accepted')
  await fleet.passMin('a', 2)
  expect(await newest()).toMatchObject({ state: 'not confirmed' })
})

test('a later boot of the terminal by itself does not confirm the requested reboot', async () => {
  fleet.simulator.play('commands-dropped')
  expect((await reboot()).status).toBe(200)
  fleet.simulator.stopScenario('commands-dropped')
  // No worker runs for half an hour.
  fleet.clock.now = new Date(fleet.clock.now.getTime() + 30 * 60_000)
  fleet.simulator.setDown(line.device, true)
  fleet.clock.now = new Date(fleet.clock.now.getTime() + 60_000)
  fleet.simulator.setDown(line.device, false)
  await fleet.passMin('a', 2)
  expect(await newest()).toMatchObject({ state: 'not confirmed' })
})

test('a public address is stored when the vendor accepts it, and seen when the address changes', async () => {
  expect(await setIp('public ip')).toMatchObject({ status: 200, body: { ip_policy: 'public ip' } })
  const { service_line_data, receipts } = await fleet.detail('a', line.nickname)
  expect(service_line_data.public_ip).toBe(true)
  expect(receipts[0]).toMatchObject({ kind: 'ip_policy', desired: 'public ip', state: 'accepted' })
  await fleet.passMin('a', 6)
  expect(await newest()).toMatchObject({ kind: 'ip_policy', state: 'seen' })
})

test('a change that the vendor drops is not shown as applied', async () => {
  fleet.simulator.play('commands-dropped')
  expect((await setIp('public ip')).status).toBe(200)
  fleet.simulator.stopScenario('commands-dropped')
  expect((await fleet.detail('a', line.nickname)).service_line_data.public_ip).toBe(false)
  await fleet.passMin('a', 16)
  expect(await newest()).toMatchObject({ state: 'not confirmed' })
})

const countOptIns = (sl: string) => {
  const { simulation } = fleet.simulator
  const found = [...simulation.changes.lines].find(([{ number }]) => number === sl)
  return found?.[1].optIn.length ?? 0
}

test('automatic top up is sent once per key, and seen by its product', async () => {
  const key = { 'idempotency-key': `key-${line.sl}` }
  const before = countOptIns(line.sl)
  const first = await optIn('opt in', key)
  expect(first).toMatchObject({ status: 200, body: { opt_in: 'opt in' } })
  expect(await optIn('opt in', key)).toMatchObject({ status: 200, body: first.body })
  expect(countOptIns(line.sl)).toBe(before + 1)
  expect((await fleet.receipts('a', line.nickname)).filter(({ kind }) => kind === 'opt_in')).toHaveLength(1)
  expect((await optIn('opt out', key)).status).toBe(409)
  await fleet.tracker.poll('a')
  expect(await newest()).toMatchObject({ kind: 'opt_in', desired: 'opt in', state: 'seen' })
  expect((await fleet.detail('a', line.nickname)).service_line_data.opt_in_product_id).not.toBeNull()
})

test('while the vendor is down, a command fails with a clear message and changes nothing', async () => {
  for (const scenario of ['no-tokens', 'all-failing', 'rate-limited'] as const) {
    fleet.simulator.play(scenario)
    const { status, body } = await setIp('public ip')
    fleet.simulator.stopScenario(scenario)
    expect([502, 503], scenario).toContain(status)
    expect(body.message).toMatch(/^Starlink /)
    expect((await fleet.detail('a', line.nickname)).service_line_data.public_ip).toBe(false)
    expect(['refused', 'unknown']).toContain((await newest())?.state)
  }
  expect((await audited())[0]?.action).toMatch(/^service_line\.ip_policy\.(refused|unknown)$/)
})

/** A vendor that issues tokens and handles commands as the test decides. */
const startVendor = async (handle: (request: IncomingMessage, response: ServerResponse) => unknown) => {
  const commands: string[] = []
  const server = createServer((request, response) => {
    request.resume()
    if (request.url === '/token') return response.end(JSON.stringify({ access_token: 'token', expires_in: 900 }))
    commands.push(`${request.method} ${request.url}`)
    return handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { commands, origin, close }
}

const pointTo = async (baseUrl: string, tokenUrl: string) => {
  await fleet.database.transaction({ tenantId: 'a' }, (db) =>
    db.updateTable('vendor_credentials').set({ base_url: baseUrl, token_url: tokenUrl }).execute(),
  )
}

test('refuses the same command while the first is in flight, with the same key or without one', async () => {
  const received = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const content = { productId: 'block', activatedDate: null, deactivatedDate: null, isInOptInCoolDown: false }
  const vendor = await startVendor(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(404).end()
    received.resolve()
    await released.promise
    return response.end(JSON.stringify({ content, errors: [], warnings: [], information: [], isValid: true }))
  })
  await pointTo(vendor.origin, `${vendor.origin}/token`)
  const key = { 'idempotency-key': `in-flight-${line.sl}` }
  const first = optIn('opt in', key)
  await received.promise
  for (const headers of [{}, key])
    expect(await optIn('opt in', headers)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('is under way already') },
    })
  released.resolve()
  expect((await first).status).toBe(200)
  expect((await optIn('opt in', key)).status).toBe(200)
  expect(vendor.commands.filter((call) => call.startsWith('POST'))).toHaveLength(1)
  await pointTo(fleet.simulator.url, fleet.simulator.tokenUrl)
  await vendor.close()
})

test('a command that may have cost money is never sent again, and stays unknown until a limit', async () => {
  const vendor = await startVendor(({ socket }) => socket.destroy())
  await pointTo(vendor.origin, `${vendor.origin}/token`)
  const key = { 'idempotency-key': `unknown-${line.sl}` }
  expect(await optIn('opt in', key)).toMatchObject({ status: 502, body: { error: 'vendor_unclear' } })
  expect((await optIn('opt in', key)).status).toBe(502)
  expect((await optIn('opt in')).status).toBe(409)
  expect(vendor.commands.filter((call) => call.startsWith('POST'))).toHaveLength(1)
  expect(await newest()).toMatchObject({ kind: 'opt_in', state: 'unknown', settledAt: null })
  await pointTo(fleet.simulator.url, fleet.simulator.tokenUrl)
  await fleet.passMin('a', 16)
  expect(await newest()).toMatchObject({ state: 'not confirmed' })
  expect((await optIn('opt in')).status).toBe(200)
  await vendor.close()
})

test('a command left behind by a process that ended becomes unknown', async () => {
  await fleet.rows(
    'a',
    `insert into commands (tenant_id, service_line_id, kind, desired, requested_by, requested_at, before)
     select tenant_id, id, 'opt_in', 'opt in', 'someone', '${new Date(+fleet.clock.now - 100_000).toISOString()}', '{}'
     from service_lines where service_line_number = '${line.sl}'`,
  )
  await fleet.tracker.poll('a')
  expect((await newest())?.state).toBe('unknown')
})

test('snow melt is refused without a configuration, and assigned with one', async () => {
  const refused = await melt('ALWAYS_ON')
  expect(refused.status).toBe(409)
  expect(refused.body.message).toContain('no Starlink configuration')
  expect(await newest()).not.toMatchObject({ kind: 'snow_melt' })
  await fleet.rows('a', "insert into snow_melt_configs values ('a', 'ALWAYS_ON', 'config-on')")
  expect(await melt('ALWAYS_ON')).toMatchObject({ status: 200, body: { snowMeltMode: 'ALWAYS_ON' } })
  const { terminal_data, receipts } = await fleet.detail('a', line.nickname)
  expect(terminal_data[0]?.terminal_config).toEqual({ snowMeltMode: 'ALWAYS_ON' })
  expect(receipts[0]).toMatchObject({
    kind: 'snow_melt',
    desired: 'ALWAYS_ON',
    state: 'accepted',
    settledAt: fleet.clock.now,
  })
  const { simulation } = fleet.simulator
  const terminal = simulation.findTerminal(line.device)
  expect(terminal && simulation.changes.terminals.get(terminal)?.configId).toBe('config-on')
})

test('only users with the permission control a terminal, and only their own', async () => {
  const foreign = (await fleet.listReportingLines('b'))[0]
  expect((await reboot('south')).status).toBe(403)
  expect((await reboot('north', foreign?.device)).status).toBe(403)
  expect((await reboot('north', 'nobody')).status).toBe(403)
  const other = lines.find(({ sl }) => sl !== line.sl)
  const wrong = { ip_policy: 'public ip', sl: other?.sl }
  expect((await fleet.send('a', 'north', path('update-service-line-ip-policy'), wrong)).status).toBe(403)
  await fleet.rows(
    'a',
    `insert into feature_grants (tenant_id, user_id, item, value)
     select tenant_id, id, 'terminal_control', 'false' from users where email = 'north@mail.example'`,
  )
  expect((await reboot()).status).toBe(403)
  expect((await melt('AUTO')).status).toBe(403)
  expect((await setIp('default')).status).toBe(403)
  await fleet.rows('a', "delete from feature_grants where item = 'terminal_control'")
})

test('users with the permission rename a line within the rules, and the change is audited', async () => {
  const rename = (name: string, customname: string | null) =>
    fleet.send('a', name, path('update-service-line-custom-name'), { customname })
  expect((await rename('north', 'Mine')).status).toBe(403)
  expect(await rename('admin', ' Utqiaġvik School_2 ')).toMatchObject({
    status: 200,
    body: { customname: 'Utqiaġvik School_2' },
  })
  expect((await fleet.detail('a', line.nickname)).service_line_data.customname).toBe('Utqiaġvik School_2')
  const bad = await rename('admin', 'a;b')
  expect(bad.status).toBe(400)
  expect(bad.body.message).toContain('Only letters, numbers, spaces, underscores, and dashes are accepted.')
  expect(await rename('admin', '')).toMatchObject({ status: 200, body: { customname: null } })
  expect((await audited()).map(({ action }) => action)).toEqual(['service_line.rename', 'service_line.rename'])
})

test('once the vendor’s rate limit is used up, a command fails at once with a retry time and leaves no trace', async () => {
  const [theirs] = await fleet.listReportingLines('b')
  const rebootTheirs = () =>
    fleet.send('b', 'admin', `/reboot-terminal/${encodeURIComponent(theirs?.nickname as string)}/`, {
      terminal_id: theirs?.device,
    })
  const traces = () =>
    fleet.rows('b', 'select (select count(*) from commands) as commands, (select count(*) from audit_log) as audited')
  for (let sent = 0; sent < requestsPerMinute.commands; sent++) expect((await rebootTheirs()).status).toBe(200)
  const before = await traces()
  expect(await rebootTheirs()).toMatchObject({
    status: 429,
    headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    body: { error: 'too_many', message: expect.stringContaining('nothing was changed') },
  })
  expect(await traces()).toEqual(before)
})
