const pausesMs = [1_000, 3_000]

/** Code that comes after the page; on a poor link not every request arrives. */
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
