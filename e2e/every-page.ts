import { expect, type Page } from '@playwright/test'

/** The pages of an administrator. */
export const pages = [
  '/',
  '/dashboard',
  '/terminaltable',
  '/terminal/{nickname}',
  '/incidents',
  '/maintenance',
  '/availability',
  '/reports',
  '/settings',
  '/tokens',
  '/webhooks',
  '/single-sign-on',
  '/profile',
  '/sms_consent',
  '/admin-page',
  '/editing-logs',
  '/security-events',
  '/deliveries',
  '/access-control',
  '/dev-dashboard',
  '/plan-manager',
  '/support',
]

/** States of pages that their address does not name, each by the button that leads to it. */
export const openedBy: Record<string, string> = {
  '/terminal/{nickname}': 'Share',
  '/reports': 'Schedules',
  '/maintenance': 'Plan maintenance',
  '/admin-page': 'Create User',
  '/tokens': 'Create Service Token',
  '/webhooks': 'Create Webhook',
}

export const waitUntilLoaded = async (page: Page) => {
  await expect(page.getByRole('main')).not.toBeEmpty()
  await expect(page.getByText(/^Loading/)).toHaveCount(0)
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
  // Texts in the font of the system have another width, and charts follow a resize in the next frame.
  await page.evaluate(async () => {
    await document.fonts.ready
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
  })
}
