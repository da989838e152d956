import { expect, press, test } from './app.ts'
import { expectAccessible, expectAccessibleInDisplays } from './axe.ts'
import { getAdminSession } from './users.ts'

const tenant = 'outage'
const title = 'Network outage around Bethel'

test('an outage of an area leads from the dashboard to its page, where it is acknowledged', { tag: '@core' }, async ({
  app,
  page,
}) => {
  await app.openDashboard(tenant)
  const banner = page.getByRole('region', { name: `Incident: ${title}` })
  await expect(banner).toContainText('4 of 5 terminals within 10 km of Bethel lost service at the same time.')
  await banner.getByRole('link', { name: title }).click()
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
  const id = new URL(page.url()).pathname.split('/').at(-1)
  await app.open(`/incidents/${id}`, tenant)
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText(
    'Lost: Bethel 1, Bethel 2, Bethel 3 and 1 more',
  )
  await page.getByLabel('Note').fill('Starlink knows.')
  await page.getByRole('button', { name: 'Acknowledge' }).click()
  await expect(page.getByText('Note: Starlink knows.')).toBeVisible()
  await page.getByRole('link', { name: 'Incidents', exact: true }).click()
  await expect(page.getByRole('row', { name: title })).toContainText('Acknowledged')
  await app.open('/incidents?show=all', tenant)
  await expect(page.getByText('1 open')).toBeVisible()
})

test('the dashboard counts the incidents that it has no room for', async ({ app, page }) => {
  await page.route('**/api/incidents/?widespread=true*', async (route) => {
    const response = await route.fetch()
    const { incidents, ...others } = await response.json()
    const many = [1, 2, 3, 4, 5].map((number) => ({
      ...incidents[0],
      id: `00000000-0000-4000-8000-00000000000${number}`,
    }))
    await route.fulfill({ response, json: { ...others, incidents: many } })
  })
  await app.openDashboard(tenant)
  await expect(page.getByRole('region', { name: `Incident: ${title}` })).toHaveCount(2)
  await page.getByRole('link', { name: '3 more incidents' }).click()
  await expect(page.getByRole('heading', { name: 'Incidents', level: 1 })).toBeVisible()
})

test('the page of a terminal says why it does not work', async ({ app, page }) => {
  await app.remember(await getAdminSession(tenant))
  await app.open('/terminal/Bethel%202', tenant)
  await expect(page.getByRole('region', { name: `Incident: ${title}` })).toContainText('not the dish')
  await app.open('/terminal/Bethel%205', tenant)
  await expect(page.getByRole('heading', { name: 'Bethel 5' })).toBeVisible()
  await expect(page.getByRole('region', { name: /^Incident/ })).toHaveCount(0)
})

test('axe finds no violations on the list and the page of an incident', async ({ app, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await app.remember(await getAdminSession(tenant))
  await app.open('/incidents', tenant)
  const link = page.getByRole('link', { name: title })
  await expect(link).toBeVisible()
  await expectAccessibleInDisplays(page, 'list')
  await link.click()
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
  await expectAccessibleInDisplays(page, 'page')
})

test('an incident that is over can be shared', async ({ app, page }) => {
  // The outages of the test stack do not end.
  await page.route('**/api/incidents/*/**', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    await route.fulfill({ response, json: { ...body, incident: { ...body.incident, endedAt: new Date() } } })
  })
  await app.remember(await getAdminSession(tenant))
  await app.open('/incidents', tenant)
  await page.getByRole('link', { name: title }).click()
  await expect(page.getByText('Resolved')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Acknowledge' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByRole('dialog', { name: 'Share this incident' })).toBeVisible()
})

test('an administrator takes a terminal out of an incident, merges it again and undoes that', async ({ app, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await app.remember(await getAdminSession('regrouped'))
  await app.open('/incidents', 'regrouped')
  await page.getByRole('link', { name: title }).click()
  await press(page.getByRole('button', { name: 'Take terminals out…' }))
  const taking = page.getByRole('dialog', { name: 'Take terminals out' })
  await press(taking.getByRole('button', { name: 'Take out' }))
  await expect(taking).toContainText('Please choose at least one.')
  await press(taking.getByRole('checkbox', { name: 'Bethel 2' }), 'Space')
  await expectAccessibleInDisplays(page, 'taking out')
  await press(taking.getByRole('button', { name: 'Take out' }))
  await expect(page.getByRole('heading', { name: /: Bethel 2$/ })).toBeVisible()
  await expect(page.getByText(/^Taken out by hand: 1 terminal/)).toBeVisible()
  const getPath = () => new URL(page.url()).pathname
  const part = getPath()

  await press(page.getByRole('button', { name: 'Merge…' }))
  const merging = page.getByRole('dialog', { name: 'Merge incidents' })
  await press(merging.getByRole('checkbox', { name: title }), 'Space')
  await expectAccessible(page, 'merging')
  await press(merging.getByRole('button', { name: 'Merge' }))
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Verdict' })).toContainText('Terminals4')

  // A link to the part leads to the whole, as of the same time.
  const whole = getPath()
  const at = new Date().toISOString()
  await app.open(`${part}?at=${at}`, 'regrouped')
  await expect.poll(getPath).toBe(whole)
  expect(new URL(page.url()).searchParams.get('at')).toBe(at)
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
  await page.getByRole('button', { name: 'Back to live' }).click()

  await page
    .getByText(/^Merged by hand: 4 terminals/)
    .locator('..')
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(page.getByRole('heading', { name: /: Bethel 2$/ })).toBeVisible()
})

test('a warning about a dish that was carried away leads from the terminal to its page', async ({ app, page }) => {
  await app.remember(await getAdminSession('carried'))
  await app.open('/terminal/Nome%20Cabin', 'carried')
  const warning = 'Warning: Away from its address: Nome Cabin'
  const banner = page.getByRole('region', { name: warning })
  await expect(banner).toContainText(/The dish is 2\d\d km from its service address\./)
  await banner.getByRole('link', { name: warning }).click()
  await expect(page.getByRole('heading', { name: warning })).toBeVisible()
  await expect(page.locator('[data-markers="1"]')).toBeVisible()
  await page.getByRole('button', { name: 'Snooze for an hour' }).click()
  await expect(page.getByRole('button', { name: 'Show again' })).toBeVisible()
  await page.getByRole('link', { name: 'Nome Cabin', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Nome Cabin' })).toBeVisible()
  await expect(banner).toHaveCount(0)
  await app.open('/incidents', 'carried')
  await expect(page.getByText('0 open, 1 warning', { exact: true })).toBeVisible()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.getByRole('link', { name: warning }).click()
  await expect(page.getByRole('heading', { name: warning })).toBeVisible()
  await expectAccessibleInDisplays(page)
})

test('a warning about a slow change shows the measure over the weeks', async ({ app, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await app.remember(await getAdminSession('carried'))
  const since = new Date().toISOString().slice(0, 10)
  const figures = { before: 0.002, now: 0.021, since, days: 21, hurtsOn: since, countries: null }
  await page.route(/\/api\/incidents\/[\da-f-]+\//, async (route) => {
    const response = await route.fetch()
    const { incident, ...others } = await response.json()
    const drift = { ...incident, cause: 'growing obstruction', warning: figures }
    await route.fulfill({ response, json: { ...others, incident: drift } })
  })
  await app.open('/incidents', 'carried')
  await page.getByRole('link', { name: 'Warning: Away from its address: Nome Cabin' }).click()
  await expect(page.getByText('Obstruction rose from 0.2% to 2.1% in 3 weeks.')).toBeVisible()
  const chart = page.getByRole('region', { name: 'Obstruction' })
  await expect(chart).toBeVisible()
  // Its line would be drawn without a color.
  expect(await chart.evaluate((it) => getComputedStyle(it).getPropertyValue('--chart-line'))).not.toBe('')
  await expectAccessibleInDisplays(page)
})
