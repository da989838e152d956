import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { Stopped } from './problem.mjs'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
// Ctrl-C arrives twice, from the terminal and forwarded by npm: within this time it counts once.
const SAME_SIGNAL_MS = 1500
// Killing the server orphans its database, so it is the last resort. The database alone has 40 s to close.
const KILL_AFTER_MS = 180_000
const TAIL_CHARACTERS = 20_000

const running = new Set()
let stop

const signalTo = (pid, signal) => {
  try {
    process.kill(pid, signal)
  } catch {}
}

const deliver = (signal) => {
  for (const { pid, wholeGroup } of running) signalTo(wholeGroup ? -pid : pid, signal)
}

const killGroups = () => {
  for (const { pid } of running) signalTo(-pid, 'SIGKILL')
}

const requestStop = (signal) => {
  const now = performance.now()
  if (stop && now - stop.at < SAME_SIGNAL_MS) return
  if (!stop) setTimeout(killGroups, KILL_AFTER_MS).unref()
  stop = { signal: stop?.signal ?? signal, at: now }
  deliver(signal)
}

export const isStopping = () => stop !== undefined

/** Handles stop signals. The end of the process that started this one (npm, killed by SIGKILL) counts as one. */
export const watchForStop = () => {
  for (const signal of SIGNALS) process.on(signal, () => requestStop(signal))
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && !stop && requestStop('SIGTERM'), 500).unref()
  // The reader of the output may have exited. That must not end this process before the child is stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/**
 * Runs a program to its end. It gets its own process group, so that Ctrl-C reaches it once, through us. `quiet`
 * suppresses its output and returns the end of it; `service` marks a child that cleans up after itself; `onStart` gets
 * the process.
 */
export const runChild = (
  command,
  args,
  { quiet = false, service = false, env = process.env, onStart = () => {} } = {},
) =>
  new Promise((resolve, reject) => {
    if (stop) return reject(new Stopped(stop.signal))
    const output = quiet ? 'pipe' : 'inherit'
    const child = spawn(command, args, {
      env,
      detached: true,
      stdio: ['ignore', output, output, ...(service ? ['ipc'] : [])],
    })
    const current = { pid: child.pid, wholeGroup: !service }
    running.add(current)
    onStart(child)
    let tail = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        tail = (tail + text).slice(-TAIL_CHARACTERS)
      })
    }
    const end = (code) => {
      running.delete(current)
      if (stop && !service) reject(new Stopped(stop.signal))
      else resolve({ code, output: tail })
    }
    child.on('error', (error) => {
      tail += error.message
      end(127)
    })
    child.on('close', (code, signal) => end(code ?? 128 + constants.signals[signal]))
  })

/** Runs a program that cleans up after itself when it is stopped, or when this process has ended. */
export const runService = (node, args, env, options = {}) => {
  const preload = new URL('./end-with-parent.mjs', import.meta.url).href
  return runChild(node, ['--import', preload, ...args], { ...options, service: true, env })
}
