export interface Conditions {
  /** From a byte sent to the byte that answers it, where nothing queues. */
  roundTripMs: number
  bytesPerS: number
  /** Of the packets, in each direction. */
  lossShare: number
}

/** What the headers of IP and TCP add to each packet. */
const HEADER_BYTES = 52

/** One direction of a link: what all connections send queues up, takes its time at the rate they share, and may get lost. */
export const openOneWay = (conditionsNow: () => Conditions, random: () => number) => {
  let isCut = false
  let freeAtMs = 0
  return {
    setCut: (next: boolean) => {
      isCut = next
    },
    isLost: () => isCut || random() < conditionsNow().lossShare,
    send: (bytes: number, arrive: () => void) => {
      const { roundTripMs, bytesPerS, lossShare } = conditionsNow()
      freeAtMs = Math.max(freeAtMs, performance.now()) + ((bytes + HEADER_BYTES) / bytesPerS) * 1000
      if (random() < lossShare) return
      setTimeout(() => isCut || arrive(), freeAtMs + roundTripMs / 2 - performance.now())
    },
    /** An acknowledgement: hardly any bytes, and one that gets lost is made good by the next. */
    sendAck: (arrive: () => void) => {
      setTimeout(() => isCut || arrive(), conditionsNow().roundTripMs / 2)
    },
  }
}

export type OneWay = ReturnType<typeof openOneWay>
