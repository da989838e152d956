export interface Conditions {
  /** Round-trip time without queueing. */
  roundTripMs: number
  bytesPerS: number
  /** Share of the packets lost, in each direction. */
  lossShare: number
}

/** Size of the IP and TCP headers of each packet. */
const HEADER_BYTES = 52

/** One direction of a link: packets of all connections queue up, share the rate, and may get lost. */
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
      setTimeout(() => isCut || arrive(), Math.max(0, freeAtMs + roundTripMs / 2 - performance.now()))
    },
    /**
     * Acknowledgments are small and never dropped here, because the next one would make up for a lost one.
     */
    sendAck: (arrive: () => void) => {
      setTimeout(() => isCut || arrive(), conditionsNow().roundTripMs / 2)
    },
  }
}

export type OneWay = ReturnType<typeof openOneWay>
