import { once } from 'node:events'
import type { Socket } from 'node:net'

// SOCKS 5 as a browser speaks it on loopback: each message arrives whole, and the next one only after the answer.
const NO_SIGN_IN = Buffer.from([5, 0])
const CONNECTED = Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])

/**
 * A browser gives each request to whichever connection is ready first, so it must not hear of one before its handshake is
 * over. Of a socket that listens by itself it hears at once; a proxy is asked, and answers when it likes.
 */
export const untilAskedToConnect = async (browser: Socket) => {
  await once(browser, 'data')
  browser.write(NO_SIGN_IN)
  await once(browser, 'data')
}

export const sayConnected = (browser: Socket) => browser.write(CONNECTED)
