import { chromium } from '@playwright/test'
import { demoTenants, demoUsers } from '#demo/tenants.ts'
import { launchOptions } from './browser.ts'

/** Takes the screenshot for the README from a running demo: npm run picture -- [URL of the demo] */
const [, , url = 'http://localhost:8080'] = process.argv
const FILE = 'docs/dashboard.png'
const [tenant] = demoTenants
const [administrator] = demoUsers

const browser = await chromium.launch(launchOptions)
const page = await browser.newPage({
  viewport: { width: 1280, height: 760 },
  colorScheme: 'light',
  timezoneId: 'America/Anchorage',
})
await page.goto(`${url}/login?tenant=${tenant?.id}`)
await page.getByLabel('Email').fill(`${administrator?.name}@${tenant?.id}.example`)
await page.getByRole('textbox', { name: 'Password' }).fill(administrator?.password ?? '')
await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
await page.waitForURL((address) => address.pathname === '/')
const names = page.waitForResponse(/place-names/)
await page.goto(`${url}/dashboard`)
// Waits for an offline terminal, which appears within the first minute.
await page.getByRole('button', { name: /^Offline [1-9]/ }).waitFor({ timeout: 120_000 })
await page.locator('[data-markers][data-clusters]').waitFor()
await page.getByText(/^Live/).waitFor()
// Places are drawn with their names a frame after these have arrived.
await names
await page.evaluate(async () => {
  for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame)
})
await page.screenshot({ path: FILE })
await browser.close()
console.log(`${FILE} shows ${url}`)
