import { expect, test } from './app.ts'
import { displays, expectAccessible, setDisplay } from './axe.ts'
import { listCutTexts } from './page-faults.ts'
import { getAdminSession } from './users.ts'

const tenant = 'outage'

test('an administrator shares a terminal, and whoever has the link sees it until it is revoked', async ({
  app,
  page,
  browser,
}) => {
  await app.remember(await getAdminSession(tenant))
  await app.open('/terminal/Bethel%205', tenant)
  await page.getByRole('button', { name: 'Share' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share this terminal' })
  await dialog.getByLabel('Pass phrase (optional)').fill('under the blue boat')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const url = await dialog.getByLabel('The link, which is shown once').inputValue()

  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(url)
  await stranger.getByLabel('Pass phrase').fill('under the red boat')
  await stranger.getByRole('button', { name: 'Show' }).click()
  await expect(stranger.getByRole('alert')).toHaveText('This is not the pass phrase.')
  await stranger.getByLabel('Pass phrase').fill('under the blue boat')
  await stranger.getByRole('button', { name: 'Show' }).click()
  await expect(stranger.getByRole('heading', { name: 'Bethel 5' })).toBeVisible()
  await expect(stranger.getByText('Availability')).toBeVisible()
  for (const display of displays) {
    await setDisplay(stranger, display)
    await expectAccessible(stranger, `shared terminal, ${display.title}`)
  }

  await expect(dialog.getByRole('listitem').first()).toContainText('with a pass phrase')
  expect(await page.evaluate(listCutTexts)).toEqual([])
  await dialog.getByRole('button', { name: 'Revoke' }).first().click()
  await expect(dialog.getByRole('listitem').first()).toContainText('Revoked')
  await stranger.goto(url)
  await expect(stranger.getByRole('heading', { name: 'This link is not valid.' })).toBeVisible()
  await stranger.context().close()
})
