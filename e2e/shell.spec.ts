import { expect, test } from './house.ts'

test('an unknown path says that nothing was found', async ({ house, page }) => {
  await house.open('/no/such/page')
  await expect(page.getByRole('heading')).toHaveText('N O T  F O U N D', { useInnerText: true })
})

test('a forbidden page says why', async ({ house, page }) => {
  await house.open('/forbidden')
  await expect(page.getByText('You don’t have permission to view this page.')).toBeVisible()
})

test('the keyboard reaches the content past the links', async ({ house, page }) => {
  await house.open('/')
  await expect(page.getByRole('link', { name: 'Home', exact: true })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('the chosen colours stay, whatever the system prefers', async ({ house, page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await house.open('/')
  await page.getByRole('button', { name: 'Use dark colours' }).click()
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
})

test('nothing on the way to the dashboard breaks the content policy or asks another host', async ({ house, page }) => {
  const foreign: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') foreign.push(request.url())
  })
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await house.openDashboard()
  await expect(page.getByRole('application', { name: 'Map' })).toBeVisible()
  expect(foreign).toEqual([])
  expect(complaints).toEqual([])
})
