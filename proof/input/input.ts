import { setTimeout as pause } from 'node:timers/promises'
import { watchRows } from '#server/testing/watch-rows.ts'
import { onCleanup } from '../cleanup.ts'
import { atLeast, atMost, exactly } from '../figure.ts'
import type { Proof } from '../proof.ts'
import { draw, type Outcome, openSender } from './batch.ts'
import { brokenWires } from './broken.ts'
import { readOperations } from './operations.ts'
import { openLine, toWire } from './request.ts'
import { openQuietStack } from './stack.ts'
import { validParts } from './valid.ts'

const SIZES = {
  short: { count: 10, slowestMs: 5_000 },
  full: { count: 1000, slowestMs: 1_000 },
}
const SEED = 1959
/** A stack trace, an SQL query or a path of our source. */
const INNARDS = /\bat \S+ \(|\.ts:\d|node:internal|node_modules|select .* from|\/server\//i
/** Calls that reach the vendor share a rate limit, which the previous call may have exhausted. */
const RATE_WINDOW_MS = 61_000
const ROUNDS = 8
/** A generated request cannot contain a valid code, passkey signature or provider response, so none succeeds. */
const NEVER_DONE = [
  'identity.verifyOtp',
  'identity.sendCode',
  'profile.sendPhoneCode',
  'profile.verifyPhone',
  'identity.confirmPasskey',
  'identity.confirmCode',
  'identity.startPasskey',
  'identity.signInWithPasskey',
  'factors.startPasskey',
  'factors.addPasskey',
  'factors.removePasskey',
  'factors.confirmTotp',
  'factors.removeTotp',
  'factors.createRecoveryCodes',
  'singleSignOn.start',
  'singleSignOn.finish',
  'singleSignOn.confirm',
]

/** Where processes report that they are running, independent of requests. */
const REPORTS = 'public.processes'
/** The server was overloaded, and said when to retry. */
const isRefusedAsBusy = ({ status, text }: Outcome['response']) => status === 503 && text.includes('"error":"busy"')

const describe = ({ wire, response }: Outcome) =>
  `${wire.method} ${wire.path.slice(0, 200)} ${wire.fault ?? ''} ${wire.body?.slice(0, 300) ?? ''} → ${response.status} ${response.text.slice(0, 300)} in ${Math.round(response.ms)} ms`

export const input: Proof = {
  name: 'input',
  about:
    'Valid and invalid requests to every call, generated from the OpenAPI document: none causes a server error, and no invalid one is accepted.',
  run: async ({ form, log }) => {
    const { count, slowestMs } = SIZES[form]
    const stack = await openQuietStack()
    const line = openLine(stack.url)
    onCleanup(line.close)
    const rows = await watchRows(stack.superuser)
    onCleanup(rows.close)
    const sender = openSender(stack, line)
    const operations = await readOperations(stack.url)

    const seen = { valid: 0, broken: 0, failures: 0, busy: 0, letIn: 0, innards: 0, slowest: 0 }
    const changed: string[] = []
    const neverDone: string[] = []
    const note = (outcome: Outcome) => {
      const { status, text, ms } = outcome.response
      const isBusy = isRefusedAsBusy(outcome.response)
      const isFailure = status >= 500 && !isBusy
      if (isBusy) seen.busy += 1
      const showsInnards = status >= 400 && INNARDS.test(text)
      if (isFailure) seen.failures += 1
      if (showsInnards) seen.innards += 1
      if (isFailure || showsInnards || ms > slowestMs) log(describe(outcome))
      seen.slowest = Math.max(seen.slowest, ms)
    }

    for (const [index, operation] of operations.entries()) {
      const seed = SEED + index * 100_000
      const statuses = new Map<number, number>()
      const email = await sender.renew()
      const drawValid = async () => validParts(operation, await stack.gatherKnown(email))
      const valid = await drawValid()
      const sendValid = (parts: typeof valid, round: number) =>
        sender.send(
          operation,
          draw(
            parts.map((each) => toWire(operation, each)),
            count,
            seed + round * 1_000,
          ),
          (outcome) => {
            seen.valid += 1
            statuses.set(outcome.response.status, (statuses.get(outcome.response.status) ?? 0) + 1)
            note(outcome)
          },
        )
      const canSucceed = !NEVER_DONE.includes(operation.name)
      await sendValid(valid, 0)
      // All generated requests may refer to something that has changed or was deleted. Later rounds use current ids.
      for (let round = 1; round < ROUNDS && canSucceed && !statuses.has(200); round++) {
        if (statuses.has(429)) await pause(RATE_WINDOW_MS)
        await sendValid(await drawValid(), round)
      }
      if (canSucceed && !statuses.has(200)) neverDone.push(operation.name)
      await sender.renew()
      const before = await rows.look()
      const refusals = new Map<number, number>()
      await sender.send(operation, draw(brokenWires(operation, valid), count, seed), (outcome) => {
        seen.broken += 1
        refusals.set(outcome.response.status, (refusals.get(outcome.response.status) ?? 0) + 1)
        note(outcome)
        if (outcome.response.status >= 400) return
        seen.letIn += 1
        log(describe(outcome))
      })
      const touched = (await rows.changedSince(before)).filter((table) => table !== REPORTS)
      changed.push(...touched.map((table) => `${operation.name}: ${table}`))
      const formatCounts = (counts: Map<number, number>) =>
        [...counts].map(([status, times]) => `${times}×${status}`).join(' ')
      log(
        `${operation.name}: valid ${formatCounts(statuses)}; broken ${formatCounts(refusals)}${touched.length > 0 ? `; changed ${touched}` : ''}`,
      )
    }

    return [
      atLeast('calls in the document', operations.length, 57),
      atLeast('valid requests', seen.valid, operations.length * count),
      atLeast('invalid requests', seen.broken, operations.length * count),
      exactly('responses of 500 and above', seen.failures, 0),
      { ...exactly('requests refused because the server was busy', seen.busy, 0), timed: true },
      exactly('invalid requests that were accepted', seen.letIn, 0),
      exactly(`of ${rows.tables} tables, changed by invalid requests`, changed.join(', ') || 'none', 'none'),
      exactly('response bodies with a stack trace, a query or a path', seen.innards, 0),
      exactly('calls without a successful request', neverDone.join(', ') || 'none', 'none'),
      exactly('exits of the server', stack.exits(), 0),
      atMost('slowest request', seen.slowest, slowestMs, 'ms'),
    ]
  },
}
