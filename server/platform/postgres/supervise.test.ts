import { type ChildProcess, spawn } from 'node:child_process'
import { afterEach, expect, test } from 'vitest'
import { type PostgresEvent, supervise } from './supervise.ts'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** A process that runs until it is killed. */
const startSomething = () => {
  const child = spawn('sleep', ['600'])
  children.push(child)
  return child.pid as number
}

test('a server that does not start again for long is tried until it does', async () => {
  const FAILURES = 12
  let tries = 0
  const first = startSomething()
  const keeper = supervise(first, async () => {
    if (++tries <= FAILURES) throw new Error('The disk is full.')
    return startSomething()
  }, [0, 5])
  const events: PostgresEvent['kind'][] = []
  const back = new Promise<void>((resolve) => {
    keeper.onEvent(({ kind }) => {
      events.push(kind)
      if (kind === 'restarted') resolve()
    })
  })
  process.kill(first, 'SIGKILL')
  await back
  expect(events).toEqual(['died', ...Array(FAILURES).fill('not started'), 'restarted'])
  expect(await keeper.end()).toBe(children[1]?.pid)
})
