type Step = () => unknown

const steps = new Set<Step>()

/** Registers a cleanup, which runs at the end or when the run is stopped or fails. Returns a function that runs it earlier. */
export const onCleanup = (step: Step) => {
  steps.add(step)
  return async () => {
    if (steps.delete(step)) await step()
  }
}

/** Runs the cleanups, newest first. Each runs once, even if another fails or this is called twice. */
export const cleanUpAll = async () => {
  for (const step of [...steps].reverse()) {
    if (!steps.delete(step)) continue
    try {
      await step()
    } catch (error) {
      console.error(error)
    }
  }
}
