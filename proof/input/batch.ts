import fc, { type Arbitrary } from 'fast-check'
import type { Operation } from './operations.ts'
import type { CallResult, Line, Wire } from './request.ts'
import { createRandomAddress, type QuietStack } from './stack.ts'

const AT_ONCE = 4
const CHUNK = 25

export interface Outcome {
  wire: Wire
  response: CallResult
}

/** Generates requests in small batches, and no more than are sent, because some are megabytes. */
export function* draw<T>(arbitrary: Arbitrary<T | undefined>, count: number, seed: number) {
  let drawn = 0
  for (let chunk = 0; drawn < count && chunk < 4 * Math.ceil(count / CHUNK) + 10; chunk += 1)
    for (const value of fc.sample(arbitrary, { numRuns: Math.min(CHUNK, count), seed: seed + chunk })) {
      if (value === undefined || drawn >= count) continue
      drawn += 1
      yield value
    }
}

/** Sends requests of one call as an administrator, a few at a time, and reports every response. */
export const openSender = (stack: QuietStack, line: Line) => {
  let token = Promise.resolve('')
  const renew = async () => {
    const caller = stack.newCaller()
    token = caller.then(({ access }) => access)
    return (await caller).email
  }

  const sendWith = (access: string, wire: Wire) =>
    line.send(wire, {
      'x-tenant': stack.tenant,
      authorization: `Bearer ${access}`,
      'x-forwarded-for': createRandomAddress(),
    })
  /** A request may end the session or delete the user that sends it, so the next request uses another one. */
  const sendLasting = async (wire: Wire) => {
    const used = token
    const response = await sendWith(await used, wire)
    if (response.status !== 401) return response
    if (used === token) void renew()
    return sendWith(await token, wire)
  }

  return {
    renew,
    send: async (operation: Operation, wires: Iterator<Wire>, onOutcome: (outcome: Outcome) => void) => {
      const send = operation.needsToken ? sendLasting : async (wire: Wire) => sendWith(await token, wire)
      const lane = async () => {
        for (let next = wires.next(); !next.done; next = wires.next())
          onOutcome({ wire: next.value, response: await send(next.value) })
      }
      await Promise.all(Array.from({ length: AT_ONCE }, lane))
    },
  }
}
