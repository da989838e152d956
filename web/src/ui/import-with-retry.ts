const pausesMs = [1_000, 3_000]

/** Loads code after the page, with retries, because a request may fail on a bad link. */
export async function importWithRetry<T>(load: () => Promise<T>): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await load()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  return load()
}
