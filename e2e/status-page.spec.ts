import { expect, test } from './app.ts'
import { expectAccessibleInDisplays } from './axe.ts'
import { getAdminSession } from './users.ts'

const tenant = 'outage'

test('an administrator opens the status page to everybody, who read there which areas work', async ({
  app,
  page,
  browser,
}) => {
  await app.remember(await getAdminSession(tenant))
  // The page is rendered once a minute, so the outage must be known before the first request.
  await app.open('/incidents', tenant)
  await expect(page.getByRole('link', { name: 'Network outage around Bethel' }).first()).toBeVisible()
  await app.open('/settings', tenant)
  await page.getByLabel('Anybody can read it').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('The settings have been saved.')).toBeVisible()

  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(new URL(`/status?tenant=${tenant}`, page.url()).href)
  await expect(stranger.getByRole('heading', { name: 'There is an incident.' })).toBeVisible()
  await expect(stranger.getByText('Network outage', { exact: true })).toBeVisible()
  await expect(stranger.getByRole('definition')).toHaveText('■ Down')
  // In the font of the app, without the files of letters with accents.
  await expect
    .poll(() => stranger.evaluate(() => [...document.fonts].map(({ family, status }) => `${family} ${status}`)))
    .toEqual(['Inter loaded', 'Inter unloaded', 'Inter unloaded'])
  // No customer is named, nor the place of a few terminals.
  await expect(stranger.getByText('Bethel')).toHaveCount(0)
  await expectAccessibleInDisplays(stranger, 'status page')
  await stranger.context().close()
})
