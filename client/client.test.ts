import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDishboard } from '#cli/testing/run-dishboard.ts'
import { addApiToken } from '#server/testing/add-api-token.ts'
import { type SeededTenants, startSeededTenants } from '#server/testing/seeded-tenants.ts'
import { createClient } from './client.ts'
import { report } from './example.ts'

let tenants: SeededTenants
let url: string
let token: string
beforeAll(async () => {
  tenants = await startSeededTenants()
  url = await tenants.app.listen({ host: '127.0.0.1', port: 0 })
  token = (await addApiToken(tenants.superuser, 'a', { userId: tenants.users.admin.id })).token
})
afterAll(() => tenants.close())

test('the example runs: it reads terminals and acknowledges incidents', async () => {
  const printed: string[] = []
  await report(url, token, (line) => printed.push(line))
  expect(printed.join('\n')).toContain('MARKNORTH')
  expect(printed.join('\n')).not.toContain('MARKFOREIGN')
  const { incident } = await createClient({ url, token }).incidents.get({ id: tenants.lines.north.incident as never })
  expect(incident).toMatchObject({ note: 'Seen by the night shift', startedAt: expect.any(Date) })
})

test('the documentation shows the example as it is', () => {
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
  expect(read('README.md')).toContain(read('example.ts'))
})

test('puts values into path, query and body, and reads text that is not JSON', async () => {
  const client = createClient({ url, token })
  await client.serviceLines.setMetadata({ nickname: tenants.lines.north.line, field: 'metadata2', value: 'Dock 7' })
  const readMetadata = async () =>
    (await client.terminals.details()).data.find(({ nickname }) => nickname === tenants.lines.north.line)?.metadata2
  await expect.poll(readMetadata).toBe('Dock 7')
  expect((await client.incidents.list({ show: 'all', limit: 1 })).incidents).toHaveLength(1)
  expect(await client.fleetMetrics.scrape()).toMatch(/# EOF\n$/)
})

test('reads a PDF as a file with its name', async () => {
  const file = await createClient({ url, token }).executive.monthsPdf({ month: '2026-10' })
  expect(file).toMatchObject({ name: 'executive-2026-10.pdf', type: 'application/pdf' })
  const text = Buffer.from(await file.bytes()).toString('latin1')
  expect([text.slice(0, 5), text.trimEnd().slice(-5)]).toEqual(['%PDF-', '%%EOF'])
})

test('throws what the server says', async () => {
  const narrow = await addApiToken(tenants.superuser, 'a', { userId: tenants.users.admin.id, scopes: ['plans:read'] })
  await expect(createClient({ url, token: narrow.token }).terminals.list()).rejects.toMatchObject({
    name: 'ApiError',
    status: 403,
    code: 'token_scope',
    message: 'This token lacks the scope terminals:read.',
  })
  await expect(createClient({ url, token: 'dsb_a_x' }).terminals.list()).rejects.toMatchObject({ status: 401 })
  // Without asking the server.
  const unreachable = createClient({ url: 'http://127.0.0.1:9', token })
  await expect(unreachable.incidents.list({ show: 'some' as never })).rejects.toMatchObject({
    name: 'ApiError',
    status: 400,
    message: 'show: Please choose one of: open, all.',
  })
})

test('the command line makes any call', async () => {
  const api = (...args: string[]) => runDishboard(['api', ...args, '--url', url, '--token', token])
  const listed = await api('incidents.list', '--input', '{"show":"all","limit":1}')
  expect(listed.code).toBe(0)
  expect(JSON.parse(listed.out).incidents).toHaveLength(1)
  expect(await api('incidents.list', '--input', '{"show":"some"}')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--input: show: Please choose one of: open, all'),
  })
  expect(await api('executive.monthsPdf')).toMatchObject({
    code: 2,
    err: expect.stringContaining('executive.monthsPdf returns a PDF; name the file to create with --file'),
  })
  expect(await api('no.such')).toMatchObject({ code: 2, err: expect.stringContaining('There is no such call') })
  expect(await api('sessions.list')).toMatchObject({
    code: 1,
    err: 'dishboard: API tokens may not do this. Please sign in. (403 token_not_allowed)\n',
  })
})

test('the command line creates a file with a response, and overwrites none', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'dishboard-api-'))
  const save = (call: string, name: string) =>
    runDishboard(['api', call, '--url', url, '--token', token, '--file', join(dir, name)])
  expect(await save('executive.monthsPdf', 'months.pdf')).toEqual({ code: 0, out: '', err: '' })
  const pdf = await readFile(join(dir, 'months.pdf'))
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  // Bytes that are no text are those that the server sent.
  expect(pdf.includes(Buffer.from('\u{fffd}'))).toBe(false)
  expect(await save('terminals.list', 'list.json')).toMatchObject({ code: 0, out: '' })
  expect(JSON.parse(await readFile(join(dir, 'list.json'), 'utf8'))).toHaveProperty('data')
  expect(await save('terminals.list', 'list.json')).toMatchObject({
    code: 1,
    err: expect.stringContaining('list.json cannot be created: it exists'),
  })
  await rm(dir, { recursive: true })
})

test('the command line says what is wrong with the token, the connection or the portal', async () => {
  const run = async (given: { at?: string; as?: string; call?: string }) => {
    const { at = url, as = token, call = 'terminals.list' } = given
    const { code, out, err } = await runDishboard(['api', call, '--url', at, '--token', as])
    expect(out).toBe('')
    return [code, err]
  }
  const narrow = await addApiToken(tenants.superuser, 'a', { userId: tenants.users.admin.id, scopes: ['plans:read'] })
  expect(await run({ as: narrow.token })).toEqual([
    1,
    'dishboard: This token lacks the scope terminals:read. (403 token_scope)\n',
  ])
  const refused = 'This API token is not valid. It may have expired or been revoked. (401 unauthorized)'
  expect(await run({ as: token.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')) })).toEqual([
    1,
    `dishboard: ${refused}\n`,
  ])
  expect(await run({ as: 'eyJ.of.session' })).toEqual([
    2,
    'dishboard: api: --token: This is not an API token; one begins with dsb_\n',
  ])
  expect(await run({ call: 'terminals.rename' })).toEqual([2, expect.stringContaining('There is no such call')])
  expect(await run({ call: 'incidents.get' })).toEqual([
    2,
    'dishboard: api: --input: id: missing, or of another type\n',
  ])
  const other = createServer((_, response) => response.setHeader('connection', 'close').end('<h1>Welcome</h1>')).listen(
    0,
    '127.0.0.1',
  )
  await once(other, 'listening')
  const address = `127.0.0.1:${(other.address() as AddressInfo).port}`
  const at = `http://${address}`
  expect(await run({ at })).toEqual([1, expect.stringContaining('Is this the URL of a portal')])
  other.close()
  await once(other, 'close')
  expect(await run({ at })).toEqual([
    1,
    `dishboard: there is no connection to ${at}: connect ECONNREFUSED ${address}\n`,
  ])
})
