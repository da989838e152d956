import { quantile } from '../statistics.ts'
import type { Browser } from './browser.ts'

const AT_ONCE = 3

/** Measures the median and the p95 of ordinary calls, with users who send one request after another. */
export const probe = async (browser: Browser, nickname: string, durationMs: number) => {
  const tookMs: number[] = []
  let errors = 0
  const endsAt = performance.now() + durationMs
  const path = `/terminals/${encodeURIComponent(nickname)}/1440/`
  const sendRepeatedly = async () => {
    while (performance.now() < endsAt) {
      const response = await browser.send({ path, body: {} }).catch(() => undefined)
      if (response?.status === 200) tookMs.push(response.tookMs)
      else errors++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendRepeatedly))
  return { medianMs: quantile(tookMs, 0.5), p95Ms: quantile(tookMs, 0.95), errors, count: tookMs.length }
}
