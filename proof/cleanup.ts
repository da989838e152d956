type Step = () => unknown

const steps = new Set<Step>()

/** Remembers how to undo what was started: it happens at the end, or at once when the run is stopped or falls. Returns a way to do it earlier. */
export const onCleanup = (step: Step) => {
  steps.add(step)
  return async () => {
    if (steps.delete(step)) await step()
  }
}

/** The newest first; one that fails keeps no other from being done. Called twice at once, each is still done once. */
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
