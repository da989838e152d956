import { setTimeout as pause } from 'node:timers/promises'
import { createBrowser } from './browser.ts'
import type { House } from './house.ts'
import { createLedger } from './ledger.ts'
import { openMemory, slopeOf } from './memory.ts'
import { bePerson } from './person.ts'
import type { Customer } from './population.ts'
import { watchHouse } from './watch.ts'

interface Options {
  durationMs: number
  /** In which people come, one after the other. */
  arriveMs: number
  /** Between two looks at the memory. Each stops the process for a part of a second, which people feel. */
  lookEveryMs: number
  thinkMs: readonly [number, number]
}

const MB = 1024 * 1024

/** All people at once, for a while, with an eye on what the process remembers. */
export const gatherCrowd = async (house: House, customers: readonly Customer[], options: Options) => {
  const { durationMs, arriveMs, lookEveryMs, thinkMs } = options
  const ledger = createLedger()
  const stop = new AbortController()
  const memory = await openMemory(house.inspectorPort)
  const endWatch = await watchHouse(house.postgresConnection, ledger)
  const browsers = customers.map((_, index) => createBrowser(house.url, `10.0.${index >> 8}.${index & 255}`))
  const people = customers.map(async (customer, index) => {
    await pause((arriveMs * index) / customers.length)
    await bePerson({
      customer,
      browser: browsers[index] as (typeof browsers)[number],
      ledger,
      stop: stop.signal,
      thinkMs,
    })
  })
  await pause(arriveMs)
  const heap: { x: number; y: number }[] = []
  const begin = performance.now()
  while (performance.now() - begin < durationMs - arriveMs) {
    await pause(lookEveryMs)
    heap.push({ x: (performance.now() - begin) / 60_000, y: (await memory.heapBytes()) / MB })
  }
  stop.abort()
  await Promise.all(people)
  for (const browser of browsers) browser.close()
  memory.close()
  return { ledger, heap, heapSlope: slopeOf(heap), slowMoments: await endWatch() }
}
