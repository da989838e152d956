/** The response headers for the rate limit that the request counted against. */
export const describeLimit = (limit: number, remaining: number, resetS: number) => ({
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(Math.max(0, remaining)),
  'ratelimit-reset': String(resetS),
})
