const pausesMs = [1_000, 3_000]

/** Loads code after the page; on a bad link a request may fail. */
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
