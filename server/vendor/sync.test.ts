import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWarnOnce } from '../telemetry/warn-once.ts'
import { listCredentials } from './credentials.ts'
import { syncInventory } from './sync-inventory.ts'
import { syncUsage } from './sync-usage.ts'
import { createTwoAccounts, secrets, type TwoAccounts } from './testing/two-accounts.ts'

let vendor: TwoAccounts
beforeAll(async () => {
  vendor = await createTwoAccounts()
})
afterAll(() => vendor.close())

const listLines = (tenantId: string) =>
  vendor.rows<{ service_line_number: string; removed_at: Date | null; [column: string]: unknown }>(
    tenantId,
    'select * from service_lines order by service_line_number',
  )
const listTerminals = (tenantId: string) => vendor.rows(tenantId, 'select * from terminals order by device_id')

test('the secret of a credential is stored encrypted and decrypts for its own tenant only', async () => {
  const { rows } = await vendor.superuser.query('select tenant_id, client_secret from vendor_credentials')
  for (const row of rows) expect(row.client_secret.toString('latin1')).not.toContain('secret-')
  const credentials = await vendor.database.transaction({ tenantId: 'alpha' }, (db) =>
    listCredentials(db, secrets, 'alpha'),
  )
  expect(credentials).toMatchObject([{ tenantId: 'alpha', clientId: 'client-alpha', clientSecret: 'secret-alpha' }])
  const [alpha, beta] = ['alpha', 'beta'].map((id) => rows.find((row) => row.tenant_id === id).client_secret)
  await vendor.superuser.query("update vendor_credentials set client_secret = $1 where tenant_id = 'alpha'", [beta])
  await expect(
    vendor.database.transaction({ tenantId: 'alpha' }, (db) => listCredentials(db, secrets, 'alpha')),
  ).rejects.toThrow()
  await vendor.superuser.query("update vendor_credentials set client_secret = $1 where tenant_id = 'alpha'", [alpha])
})

test('the inventory of each account becomes the lines, terminals and routers of its tenant', async () => {
  await syncInventory(vendor.alpha)
  await syncInventory(vendor.beta)
  for (const { tenantId, client } of [vendor.alpha, vendor.beta]) {
    const listed = await client.listServiceLines()
    const terminals = await client.listUserTerminals()
    const stored = await listLines(tenantId)
    expect(stored.map((line) => line.service_line_number)).toEqual(
      listed.items.map((line) => line.serviceLineNumber).sort(),
    )
    expect(await listTerminals(tenantId)).toHaveLength(terminals.items.length)
    expect(stored[0]).toMatchObject({ group_name: 'unassigned', removed_at: null })
    expect(stored.some(({ street, city, state, latitude }) => street && city && state && latitude)).toBe(true)
    expect(stored.some(({ country }) => country === 'US')).toBe(true)
    expect(stored.some(({ product_name }) => product_name)).toBe(true)
    const [credential] = await vendor.rows(tenantId, 'select account_number from vendor_credentials')
    expect(credential?.account_number).toBe((await client.getAccount()).accountNumber)
    expect(await vendor.rows(tenantId, 'select id from routers')).not.toHaveLength(0)
  }
})

test('a removed line is marked and comes back with our own columns, and the other tenant is unchanged', async () => {
  const before = await listLines('beta')
  const [line] = await listLines('alpha')
  const number = line?.service_line_number as string
  await vendor.rows(
    'alpha',
    `update service_lines set custom_name = 'Ours', metadata1 = 'Kept', group_name = 'north'
     where service_line_number = '${number}' returning id`,
  )
  const { client } = vendor.alpha
  const without: typeof client.readServiceLines = async ({ onPage, ...reading }) => {
    const onRest: typeof onPage = (lines, progress) =>
      onPage(
        lines.filter(({ serviceLineNumber }) => serviceLineNumber !== number),
        progress,
      )
    const read = await client.readServiceLines({ ...reading, onPage: onRest })
    read.ids.delete(number)
    return read
  }
  const find = async () => (await listLines('alpha')).find((each) => each.service_line_number === number)

  const incomplete: typeof without = async (reading) => ({ ...(await without(reading)), complete: false })
  await syncInventory({ ...vendor.alpha, client: { ...client, readServiceLines: incomplete } })
  expect(await find()).toMatchObject({ removed_at: null })
  await syncInventory({ ...vendor.alpha, client: { ...client, readServiceLines: without } })
  expect(await find()).toMatchObject({ removed_at: expect.any(Date), custom_name: 'Ours' })
  await syncInventory(vendor.alpha)
  expect(await find()).toMatchObject({
    removed_at: null,
    custom_name: 'Ours',
    metadata1: 'Kept',
    group_name: 'north',
  })
  expect(await listLines('beta')).toEqual(before)
})

test('lists that suddenly lack most of the account remove nothing until they have done so for an hour', async () => {
  const countStored = async () => ({
    lines: (await listLines('alpha')).filter(({ removed_at }) => removed_at === null).length,
    terminals: (await listTerminals('alpha')).filter(({ removed_at }) => removed_at === null).length,
    routers: (await vendor.rows('alpha', 'select id from routers where removed_at is null')).length,
  })
  const before = await countStored()
  expect(before).toMatchObject({ lines: expect.any(Number), terminals: 6 })
  const startMs = vendor.clock.nowMs
  const syncAfter = (minutes: number) => {
    vendor.clock.nowMs = startMs + minutes * 60_000
    return syncInventory(vendor.alpha)
  }
  const play = (isPlayed: boolean) =>
    isPlayed ? vendor.simulator.play('empty-lists') : vendor.simulator.stopScenario('empty-lists')

  play(true)
  await expect(syncAfter(0)).rejects.toThrow(`The vendor no longer lists ${before.lines} of ${before.lines} lines`)
  await expect(syncAfter(59)).rejects.toThrow('until the lists have been like this for an hour')
  expect(await countStored()).toEqual(before)
  // A complete list in between begins the hour anew.
  play(false)
  await syncAfter(60)
  play(true)
  await expect(syncAfter(70)).rejects.toThrow('The vendor no longer lists')
  await expect(syncAfter(129)).rejects.toThrow('The vendor no longer lists')
  expect(await countStored()).toEqual(before)
  await syncAfter(130)
  expect(await countStored()).toEqual({ lines: 0, terminals: 0, routers: 0 })
  play(false)
  await syncAfter(140)
  expect(await countStored()).toEqual(before)
})

test('a second sync of an unchanged inventory changes nothing, even with pages in another order', async () => {
  const before = [await listLines('alpha'), await listTerminals('alpha')]
  vendor.simulator.play('unstable-paging')
  expect(await syncInventory(vendor.alpha)).toMatchObject({ changedLines: 0 })
  vendor.simulator.stopScenario('unstable-paging')
  expect([await listLines('alpha'), await listTerminals('alpha')]).toEqual(before)
})

test('usage is stored once however often it is read, and an unknown block type is stored and logged once', async () => {
  const warnOnce = createWarnOnce(vendor.log)
  const { client } = vendor.alpha
  const readUsage: typeof client.readUsage = (query, { onPage }) => {
    const onGifts: typeof onPage = (lines, progress) => {
      for (const pool of lines.flatMap((line) => line.billingCycles.flatMap((cycle) => cycle.dataPoolUsage ?? [])))
        for (const each of pool.dataBlocks.slice(0, 1)) each.dataBlockType = 'Gift'
      return onPage(lines, progress)
    }
    return client.readUsage(query, { onPage: onGifts })
  }
  const sync = () => syncUsage({ ...vendor.alpha, client: { readUsage }, warnOnce, previousBillingCycles: 2 })
  await sync()
  const usage = () => vendor.rows('alpha', 'select * from daily_usage order by service_line_id, day')
  const first = await usage()
  const cycles = await vendor.rows('alpha', 'select data_blocks from line_usage')
  expect(first.length).toBeGreaterThan(60)
  expect(JSON.stringify(cycles)).toContain('"Gift"')
  await sync()
  expect(await usage()).toEqual(first)
  expect(vendor.logged.filter(({ name }) => name === 'Gift')).toHaveLength(1)
  expect(await vendor.rows('beta', 'select * from daily_usage')).toEqual([])
})
