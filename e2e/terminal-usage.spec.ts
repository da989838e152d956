import { expect, test } from './app.ts'
import { expectAccessibleInDisplays } from './axe.ts'
import { getOnlineNickname, TerminalPage } from './terminal-page.ts'

test('usage, limits and blocks have names, units and decimals', { tag: '@core' }, async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.patchDetail((detail) => {
    detail.virtualPlanInfo = null
    detail.monthlyUsage = {
      start_date: '2026-11-09',
      priority_GB: 160.5,
      usage_limit_GB: 500,
      standard_GB: 12.25,
      data_blocks: JSON.stringify([
        { dataBlockType: 'IncludedWithBaseSubscription', consumedAmountGB: 50, totalAmountGB: 50 },
        { dataBlockType: 'RecurringPerBillingCycle', consumedAmountGB: 110.5, totalAmountGB: 450 },
        { dataBlockType: 'OneTimePurchase', consumedAmountGB: 0, totalAmountGB: 500 },
        { dataBlockType: 'Overage', consumedAmountGB: 1, totalAmountGB: null },
      ]),
    }
  })
  await terminal.open(await getOnlineNickname())
  const usage = page.getByRole('region', { name: 'Monthly Usage' })
  await expect(usage).toContainText('160.50 GB of 500.00 GB 32.10%')
  await expect(usage.getByRole('progressbar')).toHaveAttribute('aria-valuetext', '32.10%')
  await expect(usage).toContainText('Unused data expires at the end of your billing cycle')
  // The forecast, once known, comes before the blocks.
  await expect(usage.locator('dl').last().locator('dt')).toHaveText([
    'included',
    'Recurring',
    'Top Up',
    'Overage',
    'Standard data, unlimited',
  ])
  await expect(usage.locator('dd').last()).toHaveText('12.25 GB')
  await expect(page.getByText('Contact Support to purchase more full speed data.')).toBeVisible()
})

test('a line in a pool shows pool usage, and 0.00% without a limit', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.patchDetail((detail) => {
    detail.virtualPlanInfo = { virtualPoolUsage: 42, virtualPoolUsageLimit: 0 }
  })
  await terminal.open(await getOnlineNickname())
  await expect(page.getByRole('region', { name: 'Pool Usage' })).toContainText('42.00 GB of 0.00 GB 0.00%')
})

test('the line leads, its pool follows with name and lines, and the one that is over is red', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.patchDetail((detail) => {
    const pool = { name: 'NORTH-Pool', lines: 12, virtualPoolUsage: 2014.23, virtualPoolUsageLimit: 810 }
    detail.virtualPlanInfo = pool
    detail.monthlyUsage = {
      start_date: '2026-11-10',
      end_date: '2026-12-10',
      data_blocks: '[]',
      priority_GB: 66,
      usage_limit_GB: 500,
      standard_GB: 0,
    }
    detail.dailyUsage = [{ date: `${new Date().toISOString().slice(0, 8)}01`, priorityGB: 1, standardGB: 0 }]
  })
  await terminal.open(await getOnlineNickname())
  const [own, pool] = [
    page.getByRole('region', { name: 'Monthly Usage' }),
    page.getByRole('region', { name: 'Pool Usage' }),
  ]
  await expect(own).toContainText('66.00 GB of 500.00 GB 13.20%')
  await expect(own.locator('[data-over]')).toHaveCount(0)
  await expect(pool).toContainText('NORTH-Pool, 12 lines')
  await expect(pool).toContainText('2,014.23 GB of 810.00 GB 248.67%')
  await expect(pool.locator('[data-over]')).toHaveCount(2)
  await expect(page.getByText('Billing cycle Nov 10 to Dec 10')).toBeVisible()
})

test('missing usage data is reported', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  await terminal.patchDetail((detail) => {
    detail.virtualPlanInfo = null
    detail.monthlyUsage = null
    detail.dailyUsage = []
  })
  await terminal.open(await getOnlineNickname())
  await expect(page.getByText('No usage data available.')).toHaveCount(2)
})

test('the days of a month have one scale, inside and outside of the billing cycle', async ({ app, page }) => {
  const terminal = new TerminalPage(app)
  const month = new Date().toISOString().slice(0, 7)
  await terminal.patchDetail((detail) => {
    detail.monthlyUsage = {
      start_date: `${month}-10`,
      end_date: `${month}-20`,
      data_blocks: '[]',
      priority_GB: 5,
      usage_limit_GB: 500,
      standard_GB: 0,
    }
    detail.dailyUsage = ['05', '15'].map((day) => ({ date: `${month}-${day}`, priorityGB: 5, standardGB: 0 }))
  })
  await terminal.open(await getOnlineNickname())
  const days = page.getByRole('region', { name: 'Daily Usage' }).locator('li[title]')
  await expect(days.nth(14)).toHaveAttribute('title', /-15: priority/)
  const bars = days.locator('[data-kind="priority"]')
  const heights = await bars.evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().height))
  expect(heights).toHaveLength(2)
  expect(heights[0]).toBe(heights[1])
})

test('month tabs range from January to the current month', async ({ app, page }) => {
  await page.clock.setFixedTime(new Date('2026-03-02T03:00:00Z'))
  const terminal = new TerminalPage(app)
  await terminal.patchDetail((detail) => {
    detail.dailyUsage = [
      { date: '2026-02-28', priorityGB: 1.5, standardGB: 0.25 },
      { date: '2026-03-01', priorityGB: 7, standardGB: 1 },
      { date: '2026-03-02', priorityGB: 2, standardGB: 0 },
    ]
  })
  await terminal.open(await getOnlineNickname())
  const months = page.getByRole('tablist', { name: 'Month' }).getByRole('tab')
  await expect(months).toHaveText(['February', 'March'])
  await expect(page.getByText('Total consumption 10.00 GB')).toBeVisible()
  await months.first().click()
  await expect(months).toHaveText(['January', 'February', 'March'])
  await expect(page).toHaveURL(/month=2026-02/)
  await expect(page.getByText('Total consumption 1.75 GB')).toBeVisible()
  await expect(page.getByText('2026-02-28: priority 1.50 GB, standard 0.25 GB')).toBeAttached()
  await months.first().click()
  await expect(months).toHaveText(['January', 'February'])
  await expect(page.getByText('No usage data available.')).toBeVisible()
})

test('the forecast is a band on a bar that reaches beyond the limit, with its figures as its name', async ({
  app,
  page,
}) => {
  const terminal = new TerminalPage(app)
  await terminal.patchDetail((detail) => {
    detail.virtualPlanInfo = null
    detail.monthlyUsage = {
      start_date: '2026-11-09',
      end_date: '2026-12-09',
      data_blocks: '[]',
      priority_GB: 200,
      usage_limit_GB: 500,
      standard_GB: 0,
    }
  })
  const forecast = {
    known: true,
    expected_GB: 450,
    low_GB: 400,
    high_GB: 600,
    probability: 0.4,
    reached: false,
    earliest: '2026-12-01',
    latest: null,
  }
  await page.route(/\/api\/service-lines\/[^/]+\/outlook\//, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), forecast, pool_forecast: null } })
  })
  await terminal.open(await getOnlineNickname())
  const band = page.getByRole('img', {
    name: 'About 450 GB by the end of the cycle; 80% likely between 400 and 600 GB.',
  })
  await expect(band).toBeVisible()
  const shares = await band.evaluate((bar) => {
    const { left, width } = bar.getBoundingClientRect()
    return [...bar.children].map((part) => {
      const box = part.getBoundingClientRect()
      return [box.left, box.right].map((x) => Math.round((100 * (x - left)) / width))
    })
  })
  // The bar's width is 600 GB plus a margin.
  const [used, likely, expected, limit] = shares
  expect(used).toEqual([0, 32])
  expect(likely).toEqual([63, 95])
  expect(expected?.[0]).toBeCloseTo(71, -1)
  expect(limit?.[0]).toBeCloseTo(79, -1)
  await expectAccessibleInDisplays(page, 'forecast')
})
