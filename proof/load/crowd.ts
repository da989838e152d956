import { setTimeout as pause } from 'node:timers/promises'
import { createBrowser } from './browser.ts'
import { createLedger } from './ledger.ts'
import { computeSlope, openMemory } from './memory.ts'
import type { Customer } from './population.ts'
import { simulateUser } from './simulated-user.ts'
import type { Stack } from './stack.ts'
import { watchStack } from './watch.ts'

interface Options {
  durationMs: number
  /** Time over which the users arrive. */
  arriveMs: number
  /** Interval of the memory measurements. Each blocks the process for a fraction of a second. */
  sampleIntervalMs: number
  thinkMs: readonly [number, number]
}

const MB = 1024 * 1024

/** Runs all users for a while and measures the memory of the process. */
export const gatherCrowd = async (stack: Stack, customers: readonly Customer[], options: Options) => {
  const { durationMs, arriveMs, sampleIntervalMs, thinkMs } = options
  const ledger = createLedger()
  const stop = new AbortController()
  const memory = await openMemory(stack.inspectorPort)
  const endWatch = await watchStack(stack.postgresConnection, ledger)
  const browsers = customers.map((_, index) => createBrowser(stack.url, `10.0.${index >> 8}.${index & 255}`))
  const users = customers.map(async (customer, index) => {
    await pause((arriveMs * index) / customers.length)
    await simulateUser({
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
    await pause(sampleIntervalMs)
    heap.push({ x: (performance.now() - begin) / 60_000, y: (await memory.heapBytes()) / MB })
  }
  stop.abort()
  await Promise.all(users)
  for (const browser of browsers) browser.close()
  memory.close()
  return { ledger, heap, heapSlope: computeSlope(heap), slowMoments: await endWatch() }
}
