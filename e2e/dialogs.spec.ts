import { expect, press, test } from './app.ts'
import { getAdminSession } from './users.ts'

/** Buttons that open a dialog, by page. */
const openers: [path: string, name: string | RegExp][] = [
  ['/profile', 'Add App'],
  ['/profile', 'Create Token'],
  ['/profile', 'Open Ticket'],
  ['/admin-page', 'Create User'],
  ['/admin-page', 'Import Users'],
  ['/admin-page', /^Edit admin@/],
  ['/admin-page', /^Delete user@/],
  ['/access-control', 'Access of Ben Okada'],
  ['/plan-manager', '+ Create New'],
  ['/tokens', 'Create Service Token'],
  ['/webhooks', 'Create Webhook'],
  ['/maintenance', 'Plan maintenance'],
  ['/availability', 'Set target'],
]

test('a dialog has the focus while it is open, and then its button has it again', async ({ app, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await app.remember(await getAdminSession('dishboard'))
  for (const [path, name] of openers) {
    await app.open(path)
    const button = page.getByRole('button', { name, exact: true }).first()
    await press(button)
    const dialog = page.getByRole('dialog')
    await expect(dialog.locator(':focus'), `${path} ${name}`).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(dialog, `${path} ${name}`).toHaveCount(0)
    await expect(button, `${path} ${name}`).toBeFocused()
  }
})
