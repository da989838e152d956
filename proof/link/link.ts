import { launch } from '#bench/browser/pages.ts'
import { atEnd } from '../endings.ts'
import { atLeast, atMost, exactly } from '../figure.ts'
import type { Proof } from '../proof.ts'
import { signIn } from '../split-house/client.ts'
import { openSplitHouse } from '../split-house/house.ts'
import { median } from '../statistics.ts'
import { liveThroughOutages } from './outage.ts'
import { openPoorLink } from './poor-link.ts'
import { measureVisits } from './usable.ts'

const TERMINALS = 120
const POOR = { roundTripMs: 600, bytesPerS: 512_000 / 8, lossShare: 0.02 }
const GOOD = { roundTripMs: 2, bytesPerS: 100_000_000, lossShare: 0 }

const SIZES = {
  short: { visits: 1, outageMs: 10_000, coldMs: 20_000, warmMs: 8_000, caughtUpS: 60 },
  full: { visits: 5, outageMs: 60_000, coldMs: 6_000, warmMs: 2_000, caughtUpS: 30 },
}

export const link: Proof = {
  name: 'link',
  about:
    'Over 600 ms, 512 kbit/s and 2 % loss the dashboard of 120 terminals can be worked with soon, and an outage loses and doubles nothing.',
  run: async ({ form, log }) => {
    const { visits, outageMs, coldMs, warmMs, caughtUpS } = SIZES[form]
    const house = await openSplitHouse({ terminals: TERMINALS })
    await house.child('work', 'work')
    const server = await house.child('serve', 'serve')
    await server.untilReady(30_000)
    await house.waitForFleet()
    const admin = await signIn(server.url, 'alpha')
    const poor = await openPoorLink(server.url, POOR)
    atEnd(poor.close)
    const browser = await launch()
    atEnd(() => browser.close())

    const listNames = async () => {
      const { body } = (await admin.call(server.url, { method: 'GET', path: '/terminals/' })) as {
        body: { data: { nickname: string }[] }
      }
      return body.data.map(({ nickname }) => nickname)
    }
    while ((await listNames()).length < TERMINALS) await new Promise((resolve) => setTimeout(resolve, 200))
    const names = await listNames()

    const newContext = async () => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
      await context.addInitScript(
        `localStorage.setItem('access', '${admin.access}'); localStorage.setItem('refresh', '${admin.refresh}')`,
      )
      return context
    }
    const measured = []
    for (let visit = 0; visit < visits; visit += 1) {
      const context = await newContext()
      const { cold, warm } = await measureVisits(context, poor.url, names[0] as string)
      log(
        `cold: rows ${Math.round(cold.rowsMs)} ms, usable ${Math.round(cold.usableMs)} ms; warm: rows ${Math.round(warm.rowsMs)} ms, usable ${Math.round(warm.usableMs)} ms`,
      )
      measured.push({ cold, warm })
      await context.close()
    }

    // Opening pages is not what is measured now; living through an outage is.
    poor.become(GOOD)
    const context = await newContext()
    const outcome = await liveThroughOutages({
      ...{ context, link: poor, superuser: house.superuser, nicknames: names, outageMs, log },
      renameElsewhere: async (nickname, customname) => {
        const path = `/update-service-line-custom-name/${encodeURIComponent(nickname)}/`
        const answer = await admin.call(server.url, { method: 'PATCH', path, body: { customname } })
        if (answer?.status !== 200) throw new Error(`renaming answered ${answer?.status}`)
      },
    })
    await context.close()

    return [
      atMost(
        'cold: rows are there and the search answers',
        median(measured.map(({ cold }) => cold.usableMs)),
        coldMs,
        'ms',
      ),
      atMost(
        'warm: rows are there and the search answers',
        median(measured.map(({ warm }) => warm.usableMs)),
        warmMs,
        'ms',
      ),
      atLeast(`edits made during outages of ${outageMs / 1000} s`, outcome.edits, 6),
      exactly('edits lost', outcome.lost, 0),
      exactly('edits doubled', outcome.doubled, 0),
      exactly('failed edits whose text was gone', outcome.forgotten, 0),
      atMost('the list shows what changed meanwhile, after', outcome.caughtUpS, caughtUpS, 's'),
    ]
  },
}
