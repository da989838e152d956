import { addresses } from './addresses.ts'
import { expect, test } from './app.ts'
import { displays, expectAccessible, setDisplay } from './axe.ts'
import { getAdminSession } from './users.ts'

test('a month shows data, spend, who they come from, what moved and which pools are at risk', async ({ app, page }) => {
  await app.remember(await getAdminSession('dishboard'))
  await page.goto(`${addresses.url}/dev-dashboard?tenant=dishboard`)
  const section = page.getByRole('region', { name: /so far$/ })
  await expect(section.getByRole('list', { name: 'Data by month' }).getByRole('listitem')).toHaveCount(6)
  await expect(section.getByRole('list', { name: 'Spend by month' }).getByRole('listitem')).toHaveCount(6)
  await expect(section.getByRole('table', { name: 'By customer' })).toContainText('$')
  await expect(section.getByRole('table', { name: 'By organization' })).toContainText('GB')
  await expect(section.getByRole('heading', { name: 'What moved most' })).toBeVisible()
  await expect(section.getByRole('heading', { name: 'Pools at risk today' })).toBeVisible()
  await expect(section.getByText('Measuring…')).toBeHidden()
  for (const display of displays) {
    await setDisplay(page, display)
    await expectAccessible(page, display.title)
    const cut = await section
      .getByRole('listitem')
      .locator('span')
      .evaluateAll((spans) =>
        spans.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.innerHTML),
      )
    expect(cut.filter((each) => !each.includes('<'))).toEqual([])
    for (const name of ['Data by month', 'Spend by month']) {
      const bars = section.getByRole('list', { name }).locator('li > [aria-hidden]')
      const ends = await bars.evaluateAll((all) => all.map((bar) => Math.round(bar.getBoundingClientRect().bottom)))
      expect(new Set(ends).size, `${name}, ${display.title}`).toBe(1)
    }
  }

  const month = section.getByRole('combobox', { name: 'Month' })
  const before = (await month.getByRole('option').nth(1).getAttribute('value')) as string
  await month.selectOption(before)
  await expect(page).toHaveURL((url) => url.searchParams.get('month') === before)
  const past = page.locator('section', { has: page.locator('#month-title') }).last()
  await expect(page.locator('#month-title')).not.toContainText('so far')
  await page.reload()
  await expect(page.locator('#month-title')).not.toContainText('so far')
  const download = page.waitForEvent('download')
  await past.getByRole('button', { name: 'CSV' }).click()
  expect((await download).suggestedFilename()).toBe(`executive-${before}.csv`)
  const document = page.waitForEvent('download')
  await past.getByRole('button', { name: 'PDF' }).click()
  expect((await document).suggestedFilename()).toBe(`executive-${before}.pdf`)
})
