import type { FastifyRequest } from 'fastify'

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/
/** A proxy on this machine connects from loopback too, and adds one of these. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']

/** A proxy that adds none of them by default, as nginx does, speaks this version by default. Browsers never do. */
const PROXY_VERSION = '1.0'

/** Whether the request was sent from this machine. Checks the connection itself, because headers can be forged. */
export const isLocalRequest = ({ raw, headers }: FastifyRequest) =>
  LOOPBACK.test(raw.socket.remoteAddress ?? '') &&
  raw.httpVersion !== PROXY_VERSION &&
  !PROXY_HEADERS.some((name) => headers[name] !== undefined)
