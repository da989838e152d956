import type { Browser } from '@playwright/test'
import { newPage } from './pages.ts'

/** Bytes that a page takes from the server: cold, and when it asks for its list again. */
export const measureBytes = async (browser: Browser, url: string, tokens: { access: string; refresh: string }) => {
  const page = await newPage(browser, tokens)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const urls = new Map<string, string>()
  let received = 0
  let listBytes = 0
  session.on('Network.requestWillBeSent', ({ requestId, request }) => urls.set(requestId, request.url))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    received += encodedDataLength
    if (urls.get(requestId)?.endsWith('/api/terminals/')) listBytes = encodedDataLength
  })
  await page.goto(url)
  await page.waitForSelector('ul[aria-label="Terminals"] a')
  await page.waitForSelector('canvas.map-markers')
  await page.waitForTimeout(2000)
  const coldBytes = received
  const again = page.waitForResponse((response) => response.url().endsWith('/api/terminals/'))
  await page.reload()
  await (await again).finished()
  await page.waitForTimeout(1000)
  await page.context().close()
  return { coldBytes, refreshBytes: listBytes }
}
