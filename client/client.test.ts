import { readFileSync } from 'node:fs'
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

test('throws what the server says', async () => {
  const narrow = await addApiToken(tenants.superuser, 'a', { userId: tenants.users.admin.id, scopes: ['plans:read'] })
  await expect(createClient({ url, token: narrow.token }).terminals.list()).rejects.toMatchObject({
    ...{ name: 'ApiError', status: 403, code: 'token_scope', message: 'This token lacks the scope terminals:read.' },
  })
  await expect(createClient({ url, token: 'dsb_a_x' }).terminals.list()).rejects.toMatchObject({ status: 401 })
})

test('the command line makes any call', async () => {
  const api = (...args: string[]) => runDishboard(['api', ...args, '--url', url, '--token', token])
  const listed = await api('incidents.list', '--input', '{"show":"all","limit":1}')
  expect(listed.code).toBe(0)
  expect(JSON.parse(listed.out).incidents).toHaveLength(1)
  expect(await api('incidents.list', '--input', '{"show":"some"}')).toMatchObject({
    ...{ code: 2, err: expect.stringContaining('--input: show: Please choose one of: open, all.') },
  })
  expect(await api('no.such')).toMatchObject({ code: 2, err: expect.stringContaining('There is no such call') })
  expect(await api('sessions.list')).toMatchObject({
    code: 1,
    err: expect.stringContaining('API tokens may not do this'),
  })
})
