import { once } from 'node:events'
import type { Socket } from 'node:net'

// SOCKS 5 as browsers use it on loopback: each message arrives whole, and the next one only after the response.
const NO_SIGN_IN = Buffer.from([5, 0])
const CONNECTED = Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])

/**
 * A browser gives each request to the first ready connection, so a connection must not look ready before its simulated
 * handshake is over. A plain listening socket accepts at once; a SOCKS proxy can delay its reply.
 */
export const waitForConnectRequest = async (browser: Socket) => {
  await once(browser, 'data')
  browser.write(NO_SIGN_IN)
  await once(browser, 'data')
}

export const confirmConnection = (browser: Socket) => browser.write(CONNECTED)
