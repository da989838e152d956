export interface Conditions {
  /** From a byte sent to the byte that answers it. */
  roundTripMs: number
  bytesPerS: number
  /** Of the packets, in each direction. */
  lossShare: number
}

const PACKET_BYTES = 1400
// The packets after a lost one tell its sender of it, so it comes a round trip late; until then TCP hands over nothing that
// came after it. Where none follow, a timer of two round trips notices.
const LATE_BY_TRIPS = 1
const LATE_BY_TRIPS_AT_THE_END = 2
const PACKETS_THAT_TELL = 3

/** The bytes of one connection in one direction. */
interface Lane {
  waiting: Buffer[]
  /** Nothing arrives before what was sent earlier. */
  notBeforeMs: number
  deliver: (packet: Buffer) => void
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** One direction of a link: its connections take turns, packet by packet, at the rate they share. */
export const openDirection = (conditionsNow: () => Conditions, random: () => number) => {
  const lanes: Lane[] = []
  let outage: PromiseWithResolvers<void> | undefined
  let freeAtMs = 0
  let isPumping = false

  const travelMs = (followers: number) => {
    const { roundTripMs, lossShare } = conditionsNow()
    const lateByTrips = followers < PACKETS_THAT_TELL ? LATE_BY_TRIPS_AT_THE_END : LATE_BY_TRIPS
    let ms = roundTripMs / 2
    while (random() < lossShare) ms += roundTripMs * lateByTrips
    return ms
  }
  const sendOff = (lane: Lane, packet: Buffer) => {
    lane.notBeforeMs = Math.max(lane.notBeforeMs, performance.now() + travelMs(lane.waiting.length))
    setTimeout(() => lane.deliver(packet), Math.max(0, lane.notBeforeMs - performance.now()))
  }
  const pump = async () => {
    if (isPumping) return
    isPumping = true
    while (lanes.length > 0) {
      await outage?.promise
      const lane = lanes.shift() as Lane
      const packet = lane.waiting.shift()
      if (!packet) continue
      lanes.push(lane)
      freeAtMs = Math.max(freeAtMs, performance.now()) + (packet.length / conditionsNow().bytesPerS) * 1000
      const waitMs = freeAtMs - performance.now()
      if (waitMs > 1) await pause(waitMs)
      sendOff(lane, packet)
    }
    isPumping = false
  }

  return {
    cut: () => {
      outage ??= Promise.withResolvers()
    },
    restore: () => {
      outage?.resolve()
      outage = undefined
    },
    untilWhole: () => outage?.promise,
    openLane: (openAtMs: number, deliver: (packet: Buffer) => void) => {
      const lane: Lane = { waiting: [], notBeforeMs: openAtMs, deliver }
      return (data: Buffer) => {
        for (let at = 0; at < data.length; at += PACKET_BYTES) lane.waiting.push(data.subarray(at, at + PACKET_BYTES))
        if (!lanes.includes(lane)) lanes.push(lane)
        void pump()
      }
    },
  }
}

export type Direction = ReturnType<typeof openDirection>
