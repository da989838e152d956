import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStarlinkClient } from '#starlink/client.ts'
import { createWarnOnce } from '../telemetry/warn-once.ts'
import { syncInventory } from './sync-inventory.ts'
import { syncUsage } from './sync-usage.ts'
import { createTwoAccounts, type TwoAccounts } from './testing/two-accounts.ts'

const LONG = 'Nome '.repeat(2_000_000)

const line = (serviceLineNumber: string, nickname: string, more: object = {}) => ({
  serviceLineNumber,
  nickname,
  publicIp: false,
  active: true,
  addressReferenceId: 'address',
  ...more,
})
const product = (productReferenceId: string, price: number) => ({
  productReferenceId,
  name: `Product ${productReferenceId}`,
  price,
  isSla: false,
})

const day = (date: string, gb: number) => ({
  date,
  priorityGB: gb,
  optInPriorityGB: 0,
  standardGB: 1,
  nonBillableGB: 0,
})

const WORD = 'x'.repeat(1_000)
const block = {
  ...Object.fromEntries(
    ['dataBlockId', 'startDateUtc', 'expirationDateUtc', 'dataBlockType'].map((key) => [key, WORD]),
  ),
  ...Object.fromEntries(['totalAmountGB', 'consumedAmountGB', 'perBlockAmountGB'].map((key) => [key, 1])),
  ...Object.fromEntries(['blocksCount', 'perBlockPrice', 'totalPrice'].map((key) => [key, 1])),
  novelty: WORD,
}
const cycle = (startDate: string, endDate: string, days: object[] = [], dataBlocks: object[] = []) => ({
  startDate,
  endDate,
  dailyDataUsage: days,
  totalPriorityGB: 5,
  totalStandardGB: 1,
  totalOptInPriorityGB: 0,
  totalNonBillableGB: 0,
  dataPoolUsage: [{ dataPoolId: 'pool', dataBlocks }],
})
const usage = (serviceLineNumber: string, days: object[], more: object[] = []) => ({
  serviceLineNumber,
  startDate: '2026-11-01',
  endDate: '2026-12-01',
  billingCycles: [cycle('2026-11-01', '2026-12-01', days), ...more],
})

/** Valid JSON, of which each list has readable items too. */
const lists: Record<string, object[]> = {
  '/products': [product('good', 90), product('priceless', 1e300), product('owing', -1e300)],
  '/service-lines': [
    line('SL-1', 'Nul \0 and half \ud83d of a pair'),
    line('SL-2', LONG),
    line('SL-4', ' \u200b\u3164 '),
    line('SL-5', 'Home\r\n\u2028\u202eYour code: 1\u2066\t', { productReferenceId: LONG, optInProductId: LONG }),
    line('SL-3', 'Boat 🛥️', { productReferenceId: 'good', addressReferenceId: 'nowhere' }),
    line('', 'Without a number'),
    line('N'.repeat(1_000_000), 'With a long number'),
    line('SL-3', 'Boat 🛥️', { productReferenceId: 'good', addressReferenceId: 'nowhere' }),
  ],
  '/addresses': [
    { addressReferenceId: 'address', addressLines: ['\0'], latitude: 1e300, longitude: -151.2 },
    { addressReferenceId: 'nowhere', addressLines: [], latitude: 0, longitude: 0 },
  ],
  '/user-terminals': [
    { userTerminalId: 'one', kitSerialNumber: 'KIT\0', dishSerialNumber: LONG, serviceLineNumber: 'SL-1' },
    { userTerminalId: 'two', kitSerialNumber: '', dishSerialNumber: '', serviceLineNumber: 'of another account' },
  ],
  '/data-usage/query': [
    usage('SL-1', [day('2026-02-30', 1)]),
    usage('SL-1', [day('2026-11', 1)]),
    usage('SL-1', [day('2026', 1)]),
    usage('SL-2', [day('2026-11-02', 1e300)]),
    usage('SL-1', [], [cycle('2026-12-01', '2026-11-01')]),
    usage('SL-1', [], [cycle('2026-12-01', '2026-12-01')]),
    usage('SL-1', [], [cycle('2026-11-02', '9999-12-31')]),
    usage('SL-1', [], [cycle('0001-01-01', '2026-11-01')]),
    usage(
      'SL-3',
      [day('2026-11-02', 4), day('2026-11-03', -7), day('0001-01-01', 1), day('9999-12-31', 1)],
      [cycle('9999-11-01', '9999-12-01')],
    ),
    usage('SL-4', [], [cycle('2026-10-01', '2026-11-01', [], Array(150).fill(block))]),
    usage('of another account', [day('2026-11-02', 4)]),
  ],
}

let vendor: TwoAccounts
let client: ReturnType<typeof createStarlinkClient>
let close: () => void
beforeAll(async () => {
  vendor = await createTwoAccounts()
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://vendor').pathname
    const results = lists[path]
    const page = { pageIndex: 0, limit: 100, isLastPage: true, results, totalCount: results?.length }
    const content = results ? page : { accountNumber: 'ACC-1', regionCode: 'US' }
    if (path === '/token') response.end('{"access_token":"token","expires_in":1e300}')
    else response.end(JSON.stringify({ isValid: true, content }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  close = () => {
    server.close()
    server.closeAllConnections()
  }
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  client = createStarlinkClient({ baseUrl, tokenUrl: `${baseUrl}/token`, clientId: 'x', clientSecret: 'y' })
})
afterAll(async () => {
  close()
  await vendor.close()
})

test('what is absurd in an inventory does not keep the rest from being stored', async () => {
  await syncInventory({ ...vendor.alpha, client })
  const select = 'select service_line_number as number, nickname, latitude, longitude from service_lines order by 1'
  const stored = await vendor.rows<{ number: string; nickname: string }>('alpha', select)
  expect(stored).toMatchObject([
    { number: 'SL-1', nickname: 'Nul  and half \ufffd of a pair', latitude: null, longitude: -151.2 },
    { number: 'SL-2', nickname: LONG.slice(0, 300).trim() },
    { number: 'SL-3', nickname: 'Boat 🛥️', latitude: null, longitude: null },
    { number: 'SL-4', nickname: 'SL-4' },
    { number: 'SL-5', nickname: 'Home Your code: 1' },
  ])
  const ids =
    "select length(product_id) as product, length(opt_in_product_id) as opt_in from service_lines where nickname like 'Home%'"
  expect(await vendor.rows('alpha', ids)).toEqual([{ product: 300, opt_in: 300 }])
  expect(await vendor.rows('alpha', 'select product_id, price_cents from vendor_products')).toEqual([
    { product_id: 'good', price_cents: 9_000 },
  ])
  expect(await vendor.rows('alpha', 'select device_id, kit_serial from terminals order by 1')).toEqual([
    { device_id: 'one', kit_serial: 'KIT' },
    { device_id: 'two', kit_serial: '' },
  ])
})

test('what is absurd in a usage report does not keep the rest from being stored', async () => {
  const warnOnce = createWarnOnce(vendor.log)
  await syncUsage({ ...vendor.alpha, client, warnOnce, previousBillingCycles: 1 })
  const select = `
    select line.service_line_number as number, usage.day, usage.priority_gb from daily_usage as usage
    join service_lines as line on line.id = usage.service_line_id order by 1, 2`
  expect(await vendor.rows('alpha', select)).toEqual([
    { number: 'SL-3', day: '0001-01-01', priority_gb: 1 },
    { number: 'SL-3', day: '2026-11-02', priority_gb: 4 },
    { number: 'SL-3', day: '2026-11-03', priority_gb: 0 },
    { number: 'SL-3', day: '9999-12-31', priority_gb: 1 },
  ])
  const cycles = `
    select line.service_line_number as number, usage.cycle_start, usage.cycle_end from line_usage as usage
    join service_lines as line on line.id = usage.service_line_id order by 1, 2`
  expect(await vendor.rows('alpha', cycles)).toEqual([
    { number: 'SL-3', cycle_start: '2026-11-01', cycle_end: '2026-12-01' },
    { number: 'SL-4', cycle_start: '2026-10-01', cycle_end: '2026-11-01' },
    { number: 'SL-4', cycle_start: '2026-11-01', cycle_end: '2026-12-01' },
  ])
  const blocks =
    'select max(jsonb_array_length(data_blocks)) as count, max(length(data_blocks::text)) as length from line_usage'
  const [longest] = await vendor.rows<{ count: number; length: number }>('alpha', blocks)
  expect(longest?.count).toBe(100)
  expect(longest?.length).toBeLessThan(100 * 2_000)
})
