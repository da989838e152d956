import { syncInventory } from '#server/vendor/sync-inventory.ts'
import { syncUsage } from '#server/vendor/sync-usage.ts'
import type { StarlinkClient } from '#starlink/client.ts'
import type { Figure } from './figures.ts'
import { withVendorAccount } from './vendor-account.ts'

const DEFAULT_SIZES = [3_000, 12_000]
const REQUESTS_PER_MINUTE = 130
const PREVIOUS_CYCLES = 2

const secondsSince = (startedMs: number) => (performance.now() - startedMs) / 1000

/** Notes when the first page of lines is stored. */
const watchPages = (client: StarlinkClient, startedMs: number) => {
  let shownAfterS = 0
  const readServiceLines: StarlinkClient['readServiceLines'] = ({ onPage, ...reading }) =>
    client.readServiceLines({
      ...reading,
      onPage: async (lines, progress) => {
        await onPage(lines, progress)
        shownAfterS ||= secondsSince(startedMs)
      },
    })
  return { client: { ...client, readServiceLines }, getShownAfterS: () => shownAfterS }
}

const measureEach = async (
  sizes: readonly number[],
  measure: (terminals: number, name: (what: string) => string) => Promise<Figure[]>,
): Promise<Figure[]> => {
  const figures: Figure[] = []
  for (const terminals of sizes.length > 0 ? sizes : DEFAULT_SIZES)
    figures.push(...(await measure(terminals, (what) => `${terminals.toLocaleString('en-US')} terminals: ${what}`)))
  return figures
}

/** The first inventory of an account, from HTTP to rows. */
export const measureInventory = (sizes: readonly number[]): Promise<Figure[]> =>
  measureEach(sizes, (terminals, name) =>
    withVendorAccount(terminals, async ({ scope, countRequests }) => {
      const startedMs = performance.now()
      const { client, getShownAfterS } = watchPages(scope.client, startedMs)
      await syncInventory({ ...scope, client })
      const firstS = secondsSince(startedMs)
      const firstRequests = countRequests()
      const againMs = performance.now()
      await syncInventory(scope)
      const againS = secondsSince(againMs)
      return [
        { name: name('first inventory'), value: firstS, unit: 's' },
        { name: name('time for each terminal'), value: (firstS * 1000) / terminals, unit: 'ms' },
        { name: name('first lines shown after'), value: getShownAfterS(), unit: 's' },
        { name: name('the same inventory again'), value: againS, unit: 's' },
        { name: name('requests'), value: firstRequests, unit: '' },
        { name: name('shortest by the vendor’s rate limit'), value: firstRequests / REQUESTS_PER_MINUTE, unit: 'min' },
      ]
    }),
  )

/** The first usage of an account whose inventory is stored, from HTTP to rows. */
export const measureUsage = (sizes: readonly number[]): Promise<Figure[]> =>
  measureEach(sizes, (terminals, name) =>
    withVendorAccount(terminals, async ({ scope }) => {
      await syncInventory(scope)
      const startedMs = performance.now()
      const startedCpu = process.cpuUsage()
      await syncUsage({ ...scope, warnOnce: () => {}, previousBillingCycles: PREVIOUS_CYCLES })
      const { user, system } = process.cpuUsage(startedCpu)
      return [
        { name: name('usage of three cycles'), value: secondsSince(startedMs), unit: 's' },
        { name: name('processor time of it, with the simulated vendor'), value: (user + system) / 1e6, unit: 's' },
      ]
    }),
  )
