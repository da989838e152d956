import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'

const childModule = import.meta.resolve('./child.mjs')
const preload = import.meta.resolve('./end-with-parent.mjs')

// Stands in for the server: takes a moment to close, and prints each signal it received.
const SERVICE = `
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.on(signal, () => { console.log('received', signal); setTimeout(() => process.exit(7), 300) })
  setInterval(() => {}, 1000)
  console.log('service', process.pid)`

const STARTER = `
  import { runChild, watchForStop } from ${JSON.stringify(childModule)}
  watchForStop()
  const args = ['--import', ${JSON.stringify(preload)}, '-e', ${JSON.stringify(SERVICE)}]
  const { code } = await runChild(process.execPath, args, { service: true })
  process.exit(code)`

let top: ChildProcess
let output: string
let service: number

const open = async (command: string[]) => {
  output = ''
  top = spawn(command[0] as string, command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] })
  top.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  await until(() => /service \d+\n/.test(output))
  service = Number(/service (\d+)/.exec(output)?.[1])
}

const startDirectly = () => open([process.execPath, '--input-type=module', '-e', STARTER])

const until = async (done: () => boolean) => {
  while (!done()) await pause(20)
}

const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const listReceived = () => output.match(/received \w+/g)

afterEach(() => {
  if (top.exitCode === null && top.signalCode === null) top.kill('SIGKILL')
  if (isThere(service)) process.kill(service, 'SIGKILL')
})

test('Ctrl-C, which arrives from the terminal and from npm, reaches the server once, and its exit code is ours', async () => {
  await startDirectly()
  top.kill('SIGINT')
  await pause(50)
  top.kill('SIGINT')
  const [code] = await once(top, 'exit')
  expect(code).toBe(7)
  expect(listReceived()).toEqual(['received SIGINT'])
})

test('a starter that is killed hard takes the server along', async () => {
  await startDirectly()
  top.kill('SIGKILL')
  await until(() => !isThere(service) && listReceived() !== null)
  expect(listReceived()).toEqual(['received SIGTERM'])
})

test('an npm that is killed hard takes starter and server along', async () => {
  const shell = `${process.execPath} --input-type=module -e "$0" & wait`
  await open(['/bin/sh', '-c', shell, STARTER])
  top.kill('SIGKILL')
  await until(() => !isThere(service) && listReceived() !== null)
  expect(listReceived()).toEqual(['received SIGTERM'])
})
