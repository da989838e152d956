interface PrefetchedResponse {
  access: string | null | undefined
  tenant: string | undefined
  response: Promise<Response>
}

declare global {
  interface Window {
    /** By URL; see index.html. */
    prefetchedResponses?: Record<string, PrefetchedResponse>
  }
}

/** A response that was not taken by then belongs to a page that was never shown. */
const maxAgeMs = 30_000

/**
 * Takes a response that index.html requested before this code was loaded, if the token and the tenant still match. Each can
 * be taken once.
 */
export function takePrefetchedResponse(
  url: string,
  { access, tenant }: { access: string | null; tenant: string | undefined },
): Promise<Response> | undefined {
  const prefetched = window.prefetchedResponses?.[url]
  if (!prefetched) return undefined
  delete window.prefetchedResponses?.[url]
  const isFresh = performance.now() < maxAgeMs
  const isSame = (prefetched.access ?? null) === access && prefetched.tenant === tenant
  return isFresh && isSame ? prefetched.response : undefined
}
