import { once } from 'node:events'
import { connect as connectPlain } from 'node:net'
import { hostname } from 'node:os'
import { connect as connectTls } from 'node:tls'
import type { SecurityLog } from '../platform/config.ts'

/** Sends JSON lines to the operator's log. Resolves once they are accepted. */
export type Sink = (lines: SinkLine[]) => Promise<void>

export interface SinkLine {
  at: Date
  isWarning: boolean
  json: string
}

const TIMEOUT_MS = 10_000
const PORTS = { 'syslog:': 514, 'syslogs:': 6514 }
// RFC 5424: facility 10 is authorization; severities 4 (warning) and 5 (notice).
const FACILITY = 10

const formatSyslog = ({ at, isWarning, json }: SinkLine) => {
  const priority = FACILITY * 8 + (isWarning ? 4 : 5)
  const message = `<${priority}>1 ${at.toISOString()} ${hostname()} dishboard ${process.pid} security - ${json}`
  // RFC 6587: each message begins with its length in bytes.
  return `${Buffer.byteLength(message)} ${message}`
}

/**
 * Syslog has no acknowledgments. The closest to one is that the server closes the connection after us, without an
 * error.
 */
const createSyslogSink = (url: URL, timeoutMs: number): Sink => {
  const target = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || PORTS[url.protocol as 'syslog:'],
  }
  return async (lines) => {
    const socket =
      url.protocol === 'syslogs:' ? connectTls({ ...target, servername: target.host }) : connectPlain(target)
    try {
      const closed = once(socket, 'close', { signal: AbortSignal.timeout(timeoutMs) })
      socket.resume()
      socket.end(lines.map(formatSyslog).join(''))
      await closed
    } finally {
      socket.destroy()
    }
  }
}

const createHttpSink = (url: string, authorization: string | undefined, timeoutMs: number): Sink => {
  const headers = { 'content-type': 'application/x-ndjson', ...(authorization && { authorization }) }
  return async (lines) => {
    const body = lines.map(({ json }) => `${json}\n`).join('')
    const signal = AbortSignal.timeout(timeoutMs)
    // A redirect would leak the authorization header.
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`The security log at ${new URL(url).host} returned ${response.status}.`)
  }
}

const writeToStdout: Sink = (lines) =>
  new Promise((resolve, reject) => {
    process.stdout.write(lines.map(({ json }) => `${json}\n`).join(''), (error) => (error ? reject(error) : resolve()))
  })

/** The operator's log; undefined if none is configured. */
export const createSink = ({ target, authorization }: SecurityLog, timeoutMs = TIMEOUT_MS): Sink | undefined => {
  if (target === 'none') return undefined
  if (target === 'stdout') {
    // Whoever reads it may go away. The lines are then sent again later, and the process goes on.
    process.stdout.on('error', () => {})
    return writeToStdout
  }
  const url = new URL(target)
  return url.protocol in PORTS ? createSyslogSink(url, timeoutMs) : createHttpSink(target, authorization, timeoutMs)
}
