import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildEnvironment, spawnDishboard } from '#cli/testing/run-dishboard.ts'
import { onCleanup } from '../cleanup.ts'
import type { Place } from './cluster.ts'
import { SECRET_KEY } from './fill.ts'

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url))

const environment = (place: Place) => ({ ...buildEnvironment(place), SECRET_KEY })

/** Runs a command as an operator would, in a separate process. */
export const dishboard = (place: Place, ...args: string[]) => spawnDishboard(args, environment(place))

/** The same, killed once a condition is true; returns whether it was still running. */
export const killDishboard = async (place: Place, args: string[], hasCome: () => Promise<boolean>) => {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH, ...environment(place) },
    stdio: 'ignore',
  })
  const forget = onCleanup(() => child.kill('SIGKILL'))
  const gone = once(child, 'exit')
  while (child.exitCode === null && !(await hasCome())) await pause(2)
  child.kill('SIGKILL')
  const [, signal] = await gone
  await forget()
  return signal === 'SIGKILL'
}
