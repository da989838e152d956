/** A condition that the demo waits for before it reports that it is ready. */
export interface Step {
  name: string
  done: Promise<void>
}

interface Options {
  /** Repeatedly receives the names of the unfinished steps. */
  onWaiting: (missing: readonly string[]) => Promise<void>
  /** Resolves when it is time for the next report. */
  pause: () => Promise<unknown>
  stopping: AbortSignal
}

/** Resolves when all steps are done, however long that takes, or when the process is stopping. */
export const waitForSteps = async (steps: readonly Step[], { onWaiting, pause, stopping }: Options): Promise<void> => {
  const missing = new Set(steps.map(({ name }) => name))
  const all = Promise.all(steps.map(({ name, done }) => done.then(() => missing.delete(name)))).then(() => 'done')
  // A stop ends what the steps depend on, so they may fail after it.
  all.catch(() => {})
  const stopped = new Promise<string>((resolve) =>
    stopping.addEventListener('abort', () => resolve('stopped'), { once: true }),
  )
  while (missing.size > 0 && !stopping.aborted) {
    const event = await Promise.race([all, stopped, pause()])
    if (event !== 'done' && event !== 'stopped') await onWaiting([...missing])
  }
}
