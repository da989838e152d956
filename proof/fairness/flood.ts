import { setTimeout as pause } from 'node:timers/promises'
import { sendSignIn } from './send-sign-in.ts'

/** Bounds concurrency on a slow machine: the proof is about sign-ins, not about connections. */
const MAX_OPEN = 100

/** Each attempt comes from another network and for another account, so that no limit of either stops it. */
const toAddress = (number: number) => `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`

const REFUSED = 503
/** A machine that hashes passwords as fast as they arrive never rejects. */
const WAIT_FOR_REFUSAL_S = 10

let lastNumber = 0

/** Sends wrong sign-ins at a steady rate until it is stopped. */
export const startFlood = (url: string, tenantId: string, perSecond: number) => {
  const statuses = new Map<number, number>()
  const open = new Set<Promise<void>>()
  const startedAt = performance.now()
  let sent = 0
  let answered = 0
  let isStopped = false

  const send = async (number: number) => {
    const credentials = { tenantId, email: `nobody${number}@${tenantId}.example`, password: 'Wrong-pass-1' }
    // A step of 256: another /24 each time.
    const { status } = await sendSignIn(url, toAddress(number * 256 + 1), credentials)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    answered++
  }

  const sending = (async () => {
    while (!isStopped) {
      const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond)
      while (sent < due && open.size < MAX_OPEN) {
        sent++
        const request = send(++lastNumber).finally(() => open.delete(request))
        open.add(request)
      }
      await pause(1000 / perSecond)
    }
  })()

  return {
    /** Resolves when the queue is full, so that the next request is rejected. */
    untilFull: async () => {
      while (!statuses.has(REFUSED) && answered < WAIT_FOR_REFUSAL_S * perSecond) await pause(20)
    },
    stop: async () => {
      isStopped = true
      await sending
      const seconds = (performance.now() - startedAt) / 1000
      await Promise.all(open)
      return { perSecond: sent / seconds, statuses }
    },
  }
}
