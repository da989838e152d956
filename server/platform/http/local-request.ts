import type { FastifyRequest } from 'fastify'

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/
/** A proxy on this machine connects from loopback too, and adds one of these. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via']

/** Whether the request was sent from this machine. Checks the connection itself, because headers can be forged. */
export const isLocalRequest = ({ raw, headers }: FastifyRequest) =>
  LOOPBACK.test(raw.socket.remoteAddress ?? '') && !PROXY_HEADERS.some((name) => headers[name] !== undefined)
