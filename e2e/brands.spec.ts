import type { Page } from '@playwright/test'
import { marketingUrl } from './addresses.ts'
import { expect, test } from './app.ts'
import { widths } from './display-variants.ts'

const brandedPages = [
  { tenant: 'dishboard', company: 'Dishboard', pictures: ['coast', 'aurora', 'vessel'], folder: '/brand' },
  { tenant: 'microcom', company: 'Microcom', pictures: ['home-1'], folder: '/brand/microcom' },
  { tenant: 'company3', company: 'Company Three', pictures: ['home-1', 'home-2', 'home-3'], folder: '/brand/company3' },
]

const listPictures = (page: Page) =>
  page
    .getByRole('main')
    .locator('img[alt=""]')
    .evaluateAll((images) => images.map((image) => image.getAttribute('src')))

const areImagesLoaded = (page: Page) =>
  page
    .locator('img')
    .evaluateAll((images: HTMLImageElement[]) => images.every((image) => image.complete && image.naturalWidth > 0))

for (const { tenant, company, pictures, folder } of brandedPages) {
  for (const width of widths) {
    test(`the home page of ${tenant} at ${width} px shows the tenant's own images and text`, async ({ app, page }) => {
      await page.setViewportSize({ width, height: 800 })
      await app.open('/', tenant)
      const portal = page.getByRole('link', { name: 'Client Portal & Performance Dashboard' })
      await expect(portal).toBeVisible()
      await expect(page).toHaveTitle(company)
      expect(await listPictures(page)).toEqual(pictures.map((name) => `${folder}/${name}.svg`))
      await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', `${folder}/favicon.svg`)
      await expect(page.getByRole('heading', { level: 1, name: company })).toBeVisible()
      await expect(page.getByRole('banner').getByRole('link', { name: company })).toBeVisible()
      await expect.poll(() => areImagesLoaded(page)).toBe(true)
      const sales = page.getByRole('link', { name: 'Contact Sales' })
      await expect(sales).toHaveAttribute('target', '_blank')
      await expect(sales).toHaveAttribute('href', marketingUrl)
      await portal.click()
      await expect(page.getByRole('heading', { name: 'SIGN IN' })).toBeVisible()
    })
  }
}

test('each image that fails to load is replaced by the default one', async ({ app, page }) => {
  for (const file of ['home-2', 'favicon', 'navbar'])
    await page.route(`**/brand/company3/${file}.svg`, (route) => route.abort())
  await app.open('/', 'company3')
  await expect(page.getByRole('banner').getByText('Company Three')).toBeVisible()
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', '/brand/favicon.svg')
  await expect
    .poll(() => listPictures(page))
    .toEqual(['/brand/company3/home-1.svg', '/brand/aurora.svg', '/brand/company3/home-3.svg'])
})

test('a tenant’s host name wins over the tenant in the query', { tag: '@core' }, async ({ page, app }) => {
  await app.open('/', 'microcom')
  await expect(page).toHaveTitle('Microcom')
  const address = new URL(page.url())
  address.hostname = 'company3.localhost'
  await page.goto(address.href)
  await expect(page).toHaveTitle('Company Three')
})
