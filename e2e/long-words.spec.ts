import type { Page } from '@playwright/test'
import { addresses } from './addresses.ts'
import { expect, test } from './app.ts'
import { pages } from './every-page.ts'
import { listMisplacedTexts } from './misplaced-texts.ts'
import { listOnline } from './terminal-page.ts'
import { getAdminSession } from './users.ts'

const halves = [0, 1].map((rest) => pages.filter((_, place) => place % 2 === rest))

const longTexts = {
  'one word of 200 letters': 'Wordwithoutanyspace.'.repeat(10),
  'many words': 'Several ordinary words with spaces '.repeat(6).trim(),
}

/** Fields with an enum, an id, a time or an address. Any other text may have any length. */
const fixedFields = new Set([
  ...['id', 'user_id', 'virtual_plan_id', 'deviceid', 'deviceID', 'revision', 'tenant', 'code', 'item_code'],
  ...['status', 'role', 'kind', 'type', 'outcome', 'channel', 'ticket', 'value', 'values', 'enum_options', 'error'],
  ...['default_value', 'dataBlockType', 'over_limit_behavior', 'snowMeltMode', 'opt_in_product_id', 'timeZone'],
  ...[
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
  ],
  ...['coordinates', 'data_blocks', 'terminal_config', 'images', 'mapTiles', 'support_phone', 'phoneNumber'],
  ...['primaryColor', 'secondaryColor', 'colors', 'freshdesk_script', 'chatbot_script', 'selectedTerminalList'],
])
/** Empty in the demo, but users may fill them in. */
const emptyFields = /^(metadata\d|street|city|customname)$/

/** Shown as '23 h 59 min', the longest form. */
const longestUptimeS = 86_399

const lengthen = (value: unknown, long: string, key = ''): unknown => {
  if (fixedFields.has(key)) return value
  if (Array.isArray(value)) return value.map((item) => lengthen(item, long, key))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, lengthen(inner, long, name)]))
  if (key === 'alerts' || key === 'activeAlerts') return JSON.stringify([long.toLowerCase()])
  if (value === null && emptyFields.test(key)) return long
  if (key === 'uptime') return longestUptimeS
  if (typeof value !== 'string' || /^\d{4}-\d\d/.test(value)) return value
  return /^[^\s@]+@\S+$/.test(value) ? `${long.replaceAll(' ', '.')}.${value}` : `${value} ${long}`
}

const lengthenResponses = (page: Page, long: string) =>
  page.route(/\/api\/(?!live|terminals\/live|user\/|verify-token)/, async (route) => {
    const response = await route.fetch()
    if (!response.headers()['content-type']?.includes('json')) return route.fulfill({ response })
    await route.fulfill({ response, json: lengthen(await response.json(), long) })
  })

const measurePage = async () => {
  // After a resize, charts and the map are drawn in the next frame.
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
  const { scrollWidth, clientWidth } = document.documentElement
  return { scrollWidth, clientWidth }
}

for (const [name, long] of Object.entries(longTexts))
  for (const [half, paths] of halves.entries())
    test(`no page overflows at any width with ${name} in every text, half ${half + 1}`, async ({ app, page }) => {
      await app.remember(await getAdminSession('microcom'))
      const [line] = await listOnline('microcom')
      await lengthenResponses(page, long)
      const faults: string[] = []
      for (const path of paths) {
        const opened = path.replace('{nickname}', encodeURIComponent(line?.nickname ?? ''))
        await page.goto(`${addresses.url}${opened}?tenant=microcom`)
        for (const width of [1280, 768, 360]) {
          await page.setViewportSize({ width, height: 800 })
          await expect(page.getByText(long.slice(0, 19)).first()).toBeAttached()
          await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
          const { scrollWidth, clientWidth } = await page.evaluate(measurePage)
          if (scrollWidth > clientWidth) faults.push(`${path} at ${width} is ${scrollWidth - clientWidth} px too wide`)
          faults.push(...(await page.evaluate(listMisplacedTexts)).map((fault) => `${path} at ${width}: ${fault}`))
        }
      }
      expect(faults).toEqual([])
    })
