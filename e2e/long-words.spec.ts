import type { Page } from '@playwright/test'
import { expect, test } from './app.ts'
import { openedBy, pages, waitUntilLoaded } from './every-page.ts'
import { bareFigures, enlarge } from './large-figures.ts'
import { listMisplacedTexts } from './misplaced-texts.ts'
import { listBareFigures, listCutTexts } from './page-faults.ts'
import { listOnline } from './terminal-page.ts'
import { callApi, getAdminSession } from './users.ts'

const longTexts = {
  'one word of 200 letters': 'Wordwithoutanyspace.'.repeat(10),
  'many words': 'Several ordinary words with spaces '.repeat(6).trim(),
}

/** Fields with an enum, an id, a time or an address. Any other text may have any length. */
const fixedFields = new Set([
  'id',
  'user_id',
  'virtual_plan_id',
  'deviceid',
  'deviceID',
  'revision',
  'tenant',
  'code',
  'item_code',
  'status',
  'role',
  'kind',
  'type',
  'outcome',
  'channel',
  'ticket',
  'value',
  'values',
  'enum_options',
  'error',
  'default_value',
  'dataBlockType',
  'over_limit_behavior',
  'snowMeltMode',
  'opt_in_product_id',
  'timeZone',
  'units',
  'cause',
  'reach',
  'state',
  'repeats',
  'scopes',
  'networks',
  'format',
  'eventTypes',
  'hint',
  'lastAddress',
  'coordinates',
  'data_blocks',
  'terminal_config',
  'images',
  'mapTiles',
  'support_phone',
  'phoneNumber',
  'primaryColor',
  'secondaryColor',
  'colors',
  'freshdesk_script',
  'chatbot_script',
  'selectedTerminalList',
])
/** Empty in the demo, but users may fill them in. */
const emptyFields = /^(metadata\d|street|city|customname)$/

const lengthen = (value: unknown, long: string, key = ''): unknown => {
  if (fixedFields.has(key)) return value
  if (Array.isArray(value)) return value.map((item) => lengthen(item, long, key))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, lengthen(inner, long, name)]))
  if (key === 'alerts' || key === 'activeAlerts') return JSON.stringify([long.toLowerCase()])
  if (value === null && emptyFields.test(key)) return long
  if (typeof value !== 'string' || /^\d{4}-\d\d/.test(value)) return value
  return /^[^\s@]+@\S+$/.test(value) ? `${long.replaceAll(' ', '.')}.${value}` : `${value} ${long}`
}

const variants: Record<string, { change: (json: unknown) => unknown; text?: string }> = {
  ...Object.fromEntries(
    Object.entries(longTexts).map(([name, long]) => [
      `${name} in every text`,
      { change: (json: unknown) => lengthen(json, long), text: long.slice(0, 19) },
    ]),
  ),
  'the largest figures': { change: (json) => enlarge(json) },
}

const changeResponses = (page: Page, change: (json: unknown) => unknown) =>
  page.route(/\/api\/(?!live|terminals\/live|user\/|verify-token)/, async (route) => {
    const response = await route.fetch()
    if (!response.headers()['content-type']?.includes('json')) return route.fulfill({ response })
    await route.fulfill({ response, json: change(await response.json()) })
  })

const tenant = 'microcom'
const reportId = '00000000-0000-4000-8000-000000000000'

/** A report is made by a schedule; a preview has the same figures at once. */
const addReport = async (page: Page, change: (json: unknown) => unknown) => {
  const { access } = await getAdminSession(tenant)
  const { body } = await callApi(tenant, 'GET', '/report-preview/?period=week&timeZone=UTC', { token: access })
  await page.route(`**/api/reports/${reportId}/`, (route) =>
    route.fulfill({ json: change({ name: 'Weekly figures', report: body.report }) }),
  )
}

const listPaths = async () => {
  const [line] = await listOnline(tenant)
  const { access } = await getAdminSession(tenant)
  const { body } = await callApi(tenant, 'GET', '/virtual-plan/', { token: access })
  const [pool] = body.data as { virtual_plan_id: string }[]
  const nickname = encodeURIComponent(line?.nickname ?? '')
  return [
    ...pages.map((path) => path.replace('{nickname}', nickname)),
    `/terminal/${nickname}?view=table&expanded=true`,
    `/availability?terminal=${nickname}`,
    `/plan-manager/${pool?.virtual_plan_id}`,
    `/reports/${reportId}`,
    '/dashboard?view=wall',
  ]
}

const measureExcess = () => document.documentElement.scrollWidth - document.documentElement.clientWidth

const listFaults = async (page: Page, isWhole: boolean) => {
  const excess = await page.evaluate(measureExcess)
  return [
    ...(excess > 0 ? [`${excess} px too wide`] : []),
    ...(await page.evaluate(listMisplacedTexts)),
    ...(isWhole ? await page.evaluate(listCutTexts) : []),
    ...(isWhole ? await page.evaluate(listBareFigures, bareFigures) : []),
  ]
}

const widths = [1280, 768, 360]

for (const [name, { change, text }] of Object.entries(variants))
  for (const half of [0, 1])
    test(`no page overflows at any width with ${name}, half ${half + 1}`, async ({ app, page }) => {
      await app.remember(await getAdminSession(tenant))
      await changeResponses(page, change)
      await addReport(page, change)
      const faults: string[] = []
      const look = async (title: string) => {
        for (const width of widths) {
          await page.setViewportSize({ width, height: 800 })
          if (text) await expect(page.getByText(text).first()).toBeAttached()
          await waitUntilLoaded(page)
          // Long texts may be cut off, figures may not.
          const found = await listFaults(page, text === undefined)
          faults.push(...found.map((fault) => `${title} at ${width}: ${fault}`))
        }
      }
      for (const path of (await listPaths()).filter((_, place) => place % 2 === half)) {
        await app.open(path, tenant)
        await look(path)
        const button = path === '/dev-dashboard' ? 'View details' : openedBy[path]
        if (button === undefined) continue
        await page.getByRole('main').getByText(button, { exact: true }).first().click()
        await look(`${path}, ${button}`)
      }
      expect(faults).toEqual([])
    })
