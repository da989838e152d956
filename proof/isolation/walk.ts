import { everyCall, type openAccessWalk } from '#server/testing/access-walk.ts'
import { callers } from '#server/testing/callers.ts'

const steps = everyCall.flatMap(([name, route]) => callers.map((caller) => ({ name, route, caller })))

export const STEPS = steps.length

/** Makes every nth of all calls by all callers, and counts wrong responses, leaks and writes. */
export const walkAll = async (
  walk: Awaited<ReturnType<typeof openAccessWalk>>,
  everyNthStep: number,
  log: (message: string) => void,
) => {
  const chosen = steps.filter((_, at) => at % everyNthStep === 0)
  let faults = 0
  for (const { name, route, caller } of chosen)
    for (const fault of await walk.findFaults(name, route, caller)) {
      faults += 1
      if (faults <= 5) log(`${name} as ${caller} ${fault.slice(0, 400)}`)
    }
  return { steps: chosen.length, faults }
}
