import { expect, test } from './app.ts'
import { expectAccessibleInDisplays, setDisplay } from './axe.ts'

test.use({ savesData: true })

const on = 'Data saver is on, because your connection is slow.'
const map = { name: 'Map of terminals' } as const

test('a slow link switches data saver on, which says so, loads no map until asked and can be turned off', async ({
  app,
  page,
}) => {
  const maps: string[] = []
  page.on('request', (request) => request.url().includes('/TerminalMap-') && maps.push(request.url()))
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const kbps = 600
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: (kbps * 1000) / 8,
    uploadThroughput: -1,
  })
  await app.openAsNewUser('/dashboard')
  await expect(app.rows.first()).toBeVisible()
  await expect(page.getByText(on)).toBeVisible()
  await expect(page.getByText('Data saver is on, so no map is loaded.')).toBeVisible()
  expect(maps).toEqual([])
  await expectAccessibleInDisplays(page)
  await setDisplay(page, { colorScheme: 'light', width: 1280 })

  await page.getByRole('button', { name: 'Show Map' }).click()
  await expect(page.getByRole('region', map)).toBeVisible()
  await page.getByRole('button', { name: 'Turn Off' }).click()
  await expect(page.getByText(on)).toBeHidden()
  await page.reload()
  await expect(page.getByRole('region', map)).toBeVisible()
  await expect(page.getByText(on)).toBeHidden()
})

test('data saver is a switch in the account menu, remembered by the browser, and makes charts coarser', async ({
  app,
  page,
}) => {
  await app.openAsNewUser('/dashboard')
  await expect(page.getByRole('region', map)).toBeVisible()
  await page.getByRole('button', { name: 'Robin Tester, account' }).click()
  const saver = page.getByRole('menuitemcheckbox', { name: 'Data Saver' })
  await expect(saver).toHaveAttribute('aria-checked', 'false')
  await saver.click()
  await expect(saver).toHaveAttribute('aria-checked', 'true')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Show Map' })).toBeVisible()
  const detail = page.waitForRequest((request) => /\/api\/terminals\/[^/]+\/15\/$/.test(request.url()))
  await page.goto(new URL((await app.rows.first().getAttribute('href')) as string, page.url()).href)
  expect((await detail).postDataJSON()).toEqual({ coarse: true })
})
