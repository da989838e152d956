import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const run = (...args: string[]) => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('main.ts', import.meta.url)), ...args])
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const ended = once(child, 'exit').then(([code]) => ({ code, out, err }))
  const ready = once(child.stdout, 'data').then(() => out)
  return { child, ended, ready }
}

test('prints its address, serves requests and exits cleanly on SIGTERM', async () => {
  const { child, ready, ended } = run('--port', '0', '--terminals', '3', '--seed', '5')
  const line = await ready
  expect(line).toMatch(/^simulator listening on http:\/\/127\.0\.0\.1:\d+ with 3 terminals/)
  const origin = line.match(/http:\/\/127\.0\.0\.1:\d+/)?.[0]
  const response = await fetch(`${origin}/simulator/terminals`)
  expect(await response.json()).toMatchObject({ terminals: [{}, {}, {}] })
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
})

test('exits when its parent process has ended', async () => {
  const parent = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'])
  const { ready, ended } = run('--port', '0', '--terminals', '1', '--parent-pid', String(parent.pid))
  await ready
  parent.kill('SIGKILL')
  expect((await ended).code).toBe(0)
})

test.each([
  [['--terminals', '0'], '--terminals must be a whole number from 1 to 100000'],
  [['--port', 'eighty'], '--port must be a whole number'],
  [['--speed', '0'], '--speed must be above 0'],
  [['--account', 'x:y'], '--account must be ID:SECRET:TERMINALS'],
  [['--no-such-thing'], 'Unknown option'],
])('%j prints a one-line error and exits with code 2', async (args, message) => {
  const { code, err } = await run(...args).ended
  expect(code).toBe(2)
  expect(err).toContain(message)
  expect(err.trim().split('\n')).toHaveLength(1)
})

test('help lists every option and scenario', async () => {
  const { code, out } = await run('--help').ended
  expect(code).toBe(0)
  for (const word of ['--port', '--terminals', '--seed', '--speed', 'stream-404', 'terminals-drop-out'])
    expect(out).toContain(word)
})
