import { type App, expect, test } from './app.ts'
import { displays, expectAccessible, setDisplay } from './axe.ts'
import { callApi, getAdminSession } from './users.ts'

const open = async (app: App, path: string) => {
  await app.remember(await getAdminSession('dishboard'))
  await app.open(path)
}

const openUsers = async (app: App) => {
  await open(app, '/admin-page')
  await expect(app.page.getByText('admin@dishboard.example').first()).toBeVisible()
}

const screens: Record<string, (app: App) => Promise<void>> = {
  users: openUsers,
  'the form of a user, with validation errors': async (app) => {
    await openUsers(app)
    await app.page.getByRole('button', { name: 'Create User' }).click()
    await app.page.getByRole('dialog').getByRole('button', { name: 'Create User' }).click()
    await expect(app.page.getByText('This field is required.').first()).toBeVisible()
  },
  'users being chosen': async (app) => {
    await openUsers(app)
    await app.page.getByRole('button', { name: 'Notify Users' }).click()
    await app.page.getByRole('button', { name: 'OK' }).click()
    await expect(app.page.getByRole('checkbox').first()).toBeVisible()
  },
  'an import': async (app) => {
    await openUsers(app)
    await app.page.getByRole('button', { name: 'Import Users' }).click()
    const csv = 'email,group,name,company,role,password\na@x.example,north,A,B,user,Initial-pass-1\nb,,,,,\n'
    const file = { name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
    await app.page.locator('input[type=file]').setInputFiles(file)
    await expect(app.page.getByText('Fault').first()).toBeVisible()
  },
  'the log': async (app) => {
    await open(app, '/editing-logs')
    await expect(app.page.getByText('ActionPerformee').or(app.page.getByText('demo').first()).first()).toBeVisible()
    await expect(app.page.getByText(/\d+ entries/)).toBeVisible()
  },
  'security events': async (app) => {
    await open(app, '/security-events')
    await expect(app.page.getByText(/\d+ events/)).toBeVisible()
  },
  'an entry of the log': async (app) => {
    await open(app, '/editing-logs')
    await app.page.getByRole('cell').getByRole('button').first().click()
    await expect(app.page.getByRole('dialog')).toBeVisible()
  },
  deliveries: async (app) => {
    const { access } = await getAdminSession('dishboard')
    const body = { message: 'Maintenance tonight.', users: ['user@dishboard.example'] }
    await callApi('dishboard', 'POST', '/admin-notification/', { token: access, body })
    await open(app, '/deliveries')
    await expect(app.page.getByText('Message from Dishboard').first()).toBeVisible()
  },
  'access control': async (app) => {
    await open(app, '/access-control')
    await expect(app.page.getByRole('switch').first()).toBeVisible()
  },
  'why somebody holds an item': async (app) => {
    await open(app, '/access-control')
    await app.page.getByRole('button', { name: 'Access of Dana Whitfield' }).click()
    await expect(app.page.getByText('Administrators hold every item.').first()).toBeVisible()
  },
}

for (const [name, show] of Object.entries(screens)) {
  test(`${name}: axe finds no violations in light and dark, wide and narrow, and nothing scrolls sideways`, async ({
    app,
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await show(app)
    for (const display of displays) {
      await setDisplay(page, display)
      await expect(page.getByRole(display.width === 360 ? 'list' : 'table').last()).toBeAttached()
      await expectAccessible(page, display.title)
    }
  })
}
