import { expect, test } from 'vitest'
import { waitForSteps } from './wait-for-steps.ts'

const start = () => {
  const [list, pools] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const stop = new AbortController()
  const reports: (readonly string[])[] = []
  let wake = Promise.withResolvers<void>()
  let isOver = false
  const over = waitForSteps(
    [
      { name: 'list', done: list.promise },
      { name: 'pools', done: pools.promise },
    ],
    {
      onWaiting: async (missing) => void reports.push(missing),
      pause: () => {
        wake = Promise.withResolvers<void>()
        return wake.promise
      },
      stopping: stop.signal,
    },
  ).then(() => {
    isOver = true
  })
  /** Advances the time by one report. */
  const passTime = async () => {
    const count = reports.length
    wake.resolve()
    await expect.poll(() => reports.length).toBe(count + 1)
  }
  return { list, pools, stop, reports, over, passTime, isOver: () => isOver }
}

test('waits for every step, whatever time passes, and reports what is missing', async () => {
  const { list, pools, reports, over, passTime, isOver } = start()
  for (let times = 0; times < 100; times++) await passTime()
  expect(reports.at(-1)).toEqual(['list', 'pools'])
  pools.resolve()
  await passTime()
  expect(reports.at(-1)).toEqual(['list'])
  expect(isOver()).toBe(false)
  list.resolve()
  await over
  expect(reports).toHaveLength(101)
})

test('does not wait once the process is to stop', async () => {
  const { stop, over, reports } = start()
  stop.abort()
  await over
  expect(reports).toEqual([])
})

test('reports the failure of a step', async () => {
  const { list, over } = start()
  list.reject(new Error('The thread ended.'))
  await expect(over).rejects.toThrow('The thread ended.')
})
