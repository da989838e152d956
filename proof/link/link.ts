import { launch } from '#bench/browser/pages.ts'
import { onCleanup } from '../cleanup.ts'
import { atLeast, atMost, exactly } from '../figure.ts'
import type { Proof } from '../proof.ts'
import { median } from '../statistics.ts'
import { liveThroughOutages } from './outage.ts'
import { openStackBehindLink, type StackBehindLink } from './stack-behind-link.ts'
import { measureVisits } from './usable.ts'

const POOR = { roundTripMs: 600, bytesPerS: 512_000 / 8, lossShare: 0.02 }
const GOOD = { roundTripMs: 2, bytesPerS: 100_000_000, lossShare: 0 }
const TERMINALS = 120
const MANY_TERMINALS = 2000
// The list alone is 90 KB, which takes three seconds over the link, slow start and losses included. A warm visit shows the
// cached list.
const MANY_COLD_MS = 10_000
const MANY_WARM_MS = 3_000

const SIZES = {
  short: { visits: 1, outageMs: 4_000, coldMs: 20_000, warmMs: 10_000, reportedMs: 10_000, caughtUpS: 60 },
  full: { visits: 7, outageMs: 60_000, coldMs: 6_000, warmMs: 2_000, reportedMs: 2_000, caughtUpS: 30 },
}

const usable = 'rows are shown and the search responds, median'

export const link: Proof = {
  name: 'link',
  about:
    'With 600 ms, 512 kbit/s and 2 % loss, the dashboard of 120 terminals is usable soon, and an outage loses and duplicates nothing.',
  run: async ({ form, log }) => {
    const { visits, outageMs, coldMs, warmMs, reportedMs, caughtUpS } = SIZES[form]
    const browser = await launch()
    onCleanup(() => browser.close())

    const visit = async ({ url, names, newContext }: StackBehindLink) => {
      const cold: number[] = []
      const warm: number[] = []
      for (let visit = 0; visit < visits; visit += 1) {
        const context = await newContext()
        const measured = await measureVisits(context, url, names[0] as string)
        log(`cold ${Math.round(measured.coldMs)} ms, warm ${Math.round(measured.warmMs)} ms`)
        cold.push(measured.coldMs)
        warm.push(measured.warmMs)
        await context.close()
      }
      return { coldMs: median(cold), warmMs: median(warm) }
    }

    const figures = []
    if (form === 'full') {
      log(`${MANY_TERMINALS} terminals`)
      const large = await openStackBehindLink(browser, MANY_TERMINALS, POOR)
      const many = await visit(large)
      await large.stop()
      figures.push(
        atMost(`cold, ${MANY_TERMINALS} terminals: ${usable}`, many.coldMs, MANY_COLD_MS, 'ms'),
        atMost(`warm, ${MANY_TERMINALS} terminals: ${usable}`, many.warmMs, MANY_WARM_MS, 'ms'),
      )
    }
    const stack = await openStackBehindLink(browser, TERMINALS, POOR)
    const few = await visit(stack)

    // This part measures outages and not page loads.
    stack.link.become(GOOD)
    const outcome = await liveThroughOutages({ stack, context: await stack.newContext(), outageMs, log })

    return [
      atMost(`cold: ${usable}`, few.coldMs, coldMs, 'ms'),
      atMost(`warm: ${usable}`, few.warmMs, warmMs, 'ms'),
      ...figures,
      atLeast(`edits made during outages of ${outageMs / 1000} s`, outcome.edits, 6),
      exactly('edits lost', outcome.lost, 0),
      exactly('edits duplicated', outcome.doubled, 0),
      exactly('failed edits whose input was gone', outcome.forgotten, 0),
      atMost('an edit in an offline browser is reported as failed, after', outcome.reportedMs, reportedMs, 'ms'),
      exactly('edits sent without a second try by the user', outcome.sentUnasked, 0),
      atMost('the list shows the changes made meanwhile, after', outcome.caughtUpS, caughtUpS, 's'),
    ]
  },
}
