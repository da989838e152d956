import { addresses } from './addresses.ts'
import { expect, test } from './app.ts'
import { displays, expectAccessible, expectAccessibleInDisplays, setDisplay } from './axe.ts'
import { listCutTexts } from './page-faults.ts'
import { callApi, getAdminSession } from './users.ts'

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
  await dialog.getByLabel('Pass phrase (optional)').fill('boat')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(dialog.getByText('Please enter at least 8 characters.')).toBeVisible()
  await expect(dialog.getByLabel('Pass phrase (optional)')).toBeFocused()
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
  await expectAccessibleInDisplays(stranger, 'shared terminal')

  await expect(dialog.getByRole('listitem').first()).toContainText('with a pass phrase')
  expect(await page.evaluate(listCutTexts)).toEqual([])
  await dialog.getByRole('button', { name: 'Revoke' }).first().click()
  await expect(dialog.getByRole('listitem').first()).toContainText('Revoked')
  await stranger.goto(url)
  await expect(stranger.getByRole('heading', { name: 'This link is not valid.' })).toBeVisible()
  await stranger.context().close()
})

test('whoever has the link to a view sees each status in its shape and color', async ({ page }) => {
  const { access: token } = await getAdminSession(tenant)
  const view = { name: `All ${Date.now()}`, page: 'dashboard', state: {}, audience: 'nobody', group: null }
  const saved = await callApi(tenant, 'POST', '/saved-views/', { token, body: view })
  const link = { kind: 'view', subject: saved.body.id, days: 1, passPhrase: null }
  const { body } = await callApi(tenant, 'POST', '/share-links/', { token, body: link })
  await page.goto(`${addresses.url}${body.path}${String(body.path).includes('?') ? '&' : '?'}tenant=${tenant}`)
  await expect(page.getByRole('heading', { name: view.name })).toBeVisible()
  for (const display of displays) {
    await setDisplay(page, display)
    const colors = await page
      .getByText(/^[●■◆○] /)
      .evaluateAll((marks) =>
        marks.map((mark) => ({ shape: mark.textContent?.[0], color: getComputedStyle(mark).color })),
      )
    const text = await page.locator('body').evaluate((body) => getComputedStyle(body).color)
    expect(colors.length).toBeGreaterThan(2)
    expect(new Set(colors.map(({ shape, color }) => `${shape} ${color}`)).size).toBe(
      new Set(colors.map(({ color }) => color)).size,
    )
    expect(colors.map(({ color }) => color)).not.toContain(text)
    await expectAccessible(page, `shared view, ${display.title}`)
  }
})
