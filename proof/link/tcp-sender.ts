import type { OneWay } from './one-way.ts'

const SEGMENT_BYTES = 1400
const FIRST_WINDOW = 10
const LARGEST_WINDOW = 90
/** The window's factor on a loss, as in CUBIC, the default of most servers. */
const KEPT_AT_LOSS = 0.7
/** A segment counts as lost after this many later segments have arrived. */
const REORDERING = 3
const MIN_TIMEOUT_MS = 1000

interface Sent {
  seq: number
  bytes: Buffer
  /** Sequence number of this transmission on the connection. */
  order: number
  sentAtMs: number
}

interface Options {
  there: OneWay
  back: OneWay
  deliver: (bytes: Buffer) => void
  /** Called when there is space for more data. */
  onRoom: () => void
}

/**
 * One direction of a TCP connection, segment by segment: slow start from ten segments, a window that shrinks on losses and
 * grows by one per round trip, retransmission when later segments arrive or after a timeout of two round trips, and in-order
 * delivery. Acknowledgments are selective.
 */
export const openTcpSender = ({ there, back, deliver, onRoom }: Options) => {
  const waiting: Sent[] = []
  const inFlight = new Map<number, Sent>()
  const arrived = new Map<number, Buffer>()
  let nextSeq = 0
  let nextDelivered = 0
  let transmissions = 0
  let windowSegments = FIRST_WINDOW
  let slowStartUntil = Number.POSITIVE_INFINITY
  let recoveredAtOrder = 0
  let smoothedMs = 0
  let backoff = 1
  let lastSentAtMs = 0
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const timeoutMs = () => Math.max(MIN_TIMEOUT_MS, 2 * smoothedMs) * backoff
  const armTimer = () => {
    clearTimeout(timer)
    if (inFlight.size > 0 && !isClosed) timer = setTimeout(onTimeout, timeoutMs())
  }
  const transmit = (sent: Sent) => {
    sent.order = ++transmissions
    sent.sentAtMs = lastSentAtMs = performance.now()
    inFlight.set(sent.seq, sent)
    const { seq, bytes, order } = sent
    there.send(bytes.length, () => {
      if (isClosed) return
      if (seq >= nextDelivered) arrived.set(seq, bytes)
      for (let next = arrived.get(nextDelivered); next; next = arrived.get(nextDelivered)) {
        arrived.delete(nextDelivered)
        nextDelivered += 1
        deliver(next)
      }
      back.sendAck(() => onAck(seq, order))
    })
  }
  const sendMore = () => {
    if (isClosed) return
    while (waiting.length > 0 && inFlight.size < Math.floor(windowSegments)) transmit(waiting.shift() as Sent)
    if (waiting.length === 0) onRoom()
  }
  const shrink = (order: number, share: number) => {
    // All losses of one window count once.
    if (order <= recoveredAtOrder) return
    recoveredAtOrder = transmissions
    windowSegments = Math.max(2, windowSegments * share)
    slowStartUntil = windowSegments
  }
  const onAck = (seq: number, order: number) => {
    const acked = inFlight.get(seq)
    if (!acked || isClosed) return
    inFlight.delete(seq)
    if (acked.order === order) {
      const tookMs = performance.now() - acked.sentAtMs
      smoothedMs = smoothedMs === 0 ? tookMs : smoothedMs * 0.875 + tookMs * 0.125
    }
    backoff = 1
    const growth = windowSegments < slowStartUntil ? 1 : 1 / windowSegments
    windowSegments = Math.min(LARGEST_WINDOW, windowSegments + growth)
    const lost = [...inFlight.values()].filter((sent) => sent.order <= order - REORDERING)
    for (const sent of lost) {
      shrink(sent.order, KEPT_AT_LOSS)
      inFlight.delete(sent.seq)
    }
    const [first, ...rest] = lost.sort((a, b) => a.seq - b.seq)
    waiting.unshift(...rest)
    // The first is sent at once, as in fast retransmit; the rest when the window allows.
    if (first) transmit(first)
    sendMore()
    armTimer()
  }
  const onTimeout = () => {
    const oldest = inFlight.values().reduce((first, sent) => (sent.seq < first.seq ? sent : first))
    shrink(oldest.order, KEPT_AT_LOSS)
    // The first timeout is a tail loss probe, as in Linux; after that the link counts as broken.
    if (backoff > 1) windowSegments = 1
    backoff *= 2
    transmit(oldest)
    armTimer()
  }

  return {
    send: (data: Buffer) => {
      // An idle connection starts with the initial window again.
      const isIdle = inFlight.size === 0 && performance.now() - lastSentAtMs > timeoutMs()
      if (isIdle) windowSegments = Math.min(windowSegments, FIRST_WINDOW)
      for (let at = 0; at < data.length; at += SEGMENT_BYTES)
        waiting.push({ seq: nextSeq++, bytes: data.subarray(at, at + SEGMENT_BYTES), order: 0, sentAtMs: 0 })
      const wasEmpty = inFlight.size === 0
      sendMore()
      if (wasEmpty) armTimer()
    },
    isEmpty: () => nextDelivered === nextSeq,
    close: () => {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
