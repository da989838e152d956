import { axeFaults } from './axe.ts'
import { expect, type House, test } from './house.ts'
import { administratorOf } from './people.ts'

const open = async (house: House, path: string) => {
  await house.remember(await administratorOf('dishboard'))
  await house.open(path)
}

const openUsers = async (house: House) => {
  await open(house, '/admin-page')
  await expect(house.page.getByText('admin@dishboard.example').first()).toBeVisible()
}

const screens: Record<string, (house: House) => Promise<void>> = {
  users: openUsers,
  'the form of a user, with faults': async (house) => {
    await openUsers(house)
    await house.page.getByRole('button', { name: 'Create User' }).click()
    await house.page.getByRole('dialog').getByRole('button', { name: 'Create User' }).click()
    await expect(house.page.getByText('This field is required.').first()).toBeVisible()
  },
  'users being chosen': async (house) => {
    await openUsers(house)
    await house.page.getByRole('button', { name: 'Notify Users' }).click()
    await house.page.getByRole('button', { name: 'OK' }).click()
    await expect(house.page.getByRole('checkbox').first()).toBeVisible()
  },
  'an import': async (house) => {
    await openUsers(house)
    await house.page.getByRole('button', { name: 'Import Users' }).click()
    const csv = 'email,group,name,company,role,password\na@x.example,north,A,B,user,Initial-pass-1\nb,,,,,\n'
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
    await house.page.locator('input[type=file]').setInputFiles(file)
    await expect(house.page.getByText('Fault').first()).toBeVisible()
  },
  'the log': async (house) => {
    await open(house, '/editing-logs')
    await expect(house.page.getByText('ActionPerformee').or(house.page.getByText('demo').first()).first()).toBeVisible()
    await expect(house.page.getByText(/\d+ entries/)).toBeVisible()
  },
  'an entry of the log': async (house) => {
    await open(house, '/editing-logs')
    await house.page
      .getByRole('button', { name: /^Details of/ })
      .first()
      .click()
    await expect(house.page.getByRole('dialog')).toBeVisible()
  },
  'access control': async (house) => {
    await open(house, '/access-control')
    await expect(house.page.getByRole('switch').first()).toBeVisible()
  },
  'why somebody holds an item': async (house) => {
    await open(house, '/access-control')
    await house.page.getByRole('button', { name: 'Access of Admin Demo' }).click()
    await expect(house.page.getByText('Administrators hold every item.').first()).toBeVisible()
  },
}

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1280, 360].map((width) => ({ colorScheme, width })),
)

for (const [name, show] of Object.entries(screens)) {
  test(`${name}: axe finds no fault in light and dark, wide and narrow, and nothing scrolls sideways`, async ({
    house,
    page,
  }) => {
    test.slow()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await show(house)
    for (const { colorScheme, width } of looks) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 800 })
      await expect(page.getByRole(width === 360 ? 'list' : 'table').last()).toBeAttached()
      expect.soft(await axeFaults(page), `${colorScheme} at ${width} px`).toEqual([])
      const scrollWidth = await page.locator('html').evaluate((html) => html.scrollWidth)
      expect.soft(scrollWidth, `${colorScheme} at ${width} px`).toBeLessThanOrEqual(width)
    }
  })
}
