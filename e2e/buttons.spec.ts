import { expect, test } from './app.ts'

test('a button that works keeps the focus and ignores every further press', { tag: '@core' }, async ({ app, page }) => {
  await app.openAsNewUser('/profile')
  const sent: string[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/edit-profile/', async (route) => {
    sent.push(route.request().postData() ?? '')
    await released
    await route.continue()
  })
  const [company, button] = [page.getByLabel('Company'), page.getByRole('button', { name: 'Edit your profile' })]
  await company.fill('Pressed once')
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(button).toBeDisabled()
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Space')
  await button.click({ force: true })
  // The effect of the Enter key in a field of the form.
  await company.press('Enter')
  await button.focus()
  release()
  await expect(page.getByText('Your profile has been succesfully edited.')).toBeVisible()
  await expect(button).toBeEnabled()
  await expect(button).toBeFocused()
  expect(sent).toHaveLength(1)
})

test('a setting that saves shows the choice at once and gives the focus back', async ({ app, page }) => {
  await app.openAsNewUser('/profile')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/enable-notification/', async (route) => {
    await released
    await route.continue()
  })
  const mails = page.getByRole('checkbox', { name: 'Email notification of terminals' })
  await expect(mails).not.toBeChecked()
  // Read in the same turn, before anything else can render.
  const isShown = await mails.evaluate((box: HTMLInputElement) => {
    box.focus()
    box.click()
    return box.checked
  })
  expect(isShown).toBe(true)
  await expect(mails).toBeDisabled()
  release()
  await expect(mails).toBeEnabled()
  await expect(mails).toBeFocused()
  await expect(mails).toBeChecked()
})

for (const reducedMotion of ['reduce', 'no-preference'] as const)
  test(`a button that works turns its circle in its middle, with motion ${reducedMotion}`, async ({ app, page }) => {
    await page.emulateMedia({ reducedMotion })
    await app.openAsNewUser('/profile')
    await page.route('**/api/edit-profile/', () => {})
    await page.getByLabel('Company').fill('Pressed')
    const button = page.getByRole('button', { name: 'Edit your profile' })
    await button.click()
    const measureOffset = () =>
      button.evaluate((element) => {
        const loader = element.querySelector('.mantine-Loader-root')?.getBoundingClientRect()
        const box = element.getBoundingClientRect()
        if (!loader) return Number.NaN
        const across = loader.x + loader.width / 2 - (box.x + box.width / 2)
        const down = loader.y + loader.height / 2 - (box.y + box.height / 2)
        return Math.round(Math.hypot(across, down))
      })
    await expect.poll(measureOffset).toBeLessThanOrEqual(1)
  })
