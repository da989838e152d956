import { expect, test } from './app.ts'
import { displays, expectAccessible, expectAccessibleInDisplays, setDisplay } from './axe.ts'
import { callApi, getAdminSession } from './users.ts'

test('a view is saved, opened by its link, modified, saved again, found by its name and deleted', {
  tag: '@core',
}, async ({ app, page }) => {
  await app.openAsNewUser('/dashboard')
  await expect(app.rows.first()).toBeVisible()
  const views = page.getByRole('button', { name: /^Views?\b/ })
  await app.chip('Online').click()
  await page.getByRole('combobox', { name: 'Order of the list' }).selectOption('worst')
  await views.focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menu', { name: 'Views' })).toContainText('None is saved yet.')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await dialog.getByLabel('Name').fill('All that works')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'View All that works', exact: true })).toBeVisible()
  await expect(page).toHaveURL(/status=online.*order=worst.*saved=/)

  await app.chip('Online').click()
  await expect(page.getByRole('button', { name: 'View All that works, modified' })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search terminals' }).fill('-status:disabled')
  await views.click()
  await page.getByRole('menuitem', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: 'View All that works', exact: true })).toBeVisible()

  await app.open('/support')
  await app.find('that works')
  await page.getByRole('option', { name: 'All that works' }).click()
  await expect(page.getByRole('searchbox', { name: 'Search terminals' })).toHaveValue('-status:disabled')
  await expect(page.getByRole('combobox', { name: 'Order of the list' })).toHaveValue('worst')

  await views.click()
  const href = (await page.getByRole('menuitem', { name: /^All that works/ }).getAttribute('href')) ?? ''
  const [, id] = /views\/([\da-f-]+)/.exec(href) ?? []
  await app.open(`/views/${id}`)
  await expect(page.getByRole('button', { name: 'View All that works', exact: true })).toBeVisible()

  await views.click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('dialog', { name: 'Delete view' }).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('button', { name: 'Views', exact: true })).toBeVisible()
  await app.open(`/views/${id}`)
  await expect(page.getByRole('heading', { name: 'There is no such view.' })).toBeVisible()
})

test('the columns of the table are part of a view', async ({ app, page }) => {
  await app.openAsNewUser('/terminaltable')
  const header = page.getByRole('columnheader', { name: 'KitNumber' })
  await expect(header).toBeVisible()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'KitNumber' }).click()
  await page.keyboard.press('Escape')
  await expect(header).toHaveCount(0)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view…' }).click()
  await page.getByRole('dialog', { name: 'Save view' }).getByLabel('Name').fill('Without kits')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'View Without kits', exact: true })).toBeVisible()
  const { href } = new URL(page.url())
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'KitNumber' }).click()
  await page.keyboard.press('Escape')
  await expect(header).toBeVisible()
  await expect(page.getByRole('button', { name: 'View Without kits, modified' })).toBeVisible()
  await page.goto(href)
  await expect(page.getByRole('columnheader', { name: 'ipv4' })).toBeVisible()
  await expect(header).toHaveCount(0)
})

test('a view with its part of the map shows it again', async ({ app, page }) => {
  await app.openAsNewUser('/dashboard')
  await expect(page.getByRole('application', { name: 'Map' })).toBeVisible()
  await page.goto(`${new URL(page.url()).origin}/dashboard?tenant=dishboard&map=64.5,-165.4,9`)
  const scale = page.getByTitle('Scale')
  await expect(scale).toHaveText(/^(2|5|10) (km|mi)$/)
  const before = await scale.innerText()
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view…' }).click()
  await page.getByRole('dialog', { name: 'Save view' }).getByLabel('Name').fill('Around Nome')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'View Around Nome', exact: true })).toBeVisible()
  const { href } = new URL(page.url())
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await expect(page.getByRole('button', { name: 'View Around Nome, modified' })).toBeVisible()
  await page.goto(href)
  await expect(scale).toHaveText(before)
})

test('an administrator shares a view with a group; axe finds no violations in its menu and form', async ({
  app,
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await app.openDashboard()
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await dialog.getByLabel('Who sees it').selectOption('group')
  await expectAccessibleInDisplays(page, 'form')
  await dialog.getByLabel('Name').fill('For the north')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Please choose a group.')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'GroupID' }).fill('north')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: 'View For the north', exact: true })).toBeVisible()
  for (const display of displays) {
    await setDisplay(page, display)
    await page.getByRole('button', { name: 'View For the north', exact: true }).click()
    await expect(page.getByRole('menu', { name: 'Views' })).toContainText('Shared views')
    await expectAccessible(page, `menu, ${display.title}`)
    await page.keyboard.press('Escape')
  }
  const { access } = await getAdminSession('dishboard')
  const { body } = await callApi('dishboard', 'GET', '/saved-views/', { token: access })
  for (const { id } of body.views as { id: string }[])
    await callApi('dishboard', 'DELETE', `/saved-views/${id}/`, { token: access })
})
