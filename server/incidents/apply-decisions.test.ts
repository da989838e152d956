import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Decision } from './apply-decisions.ts'
import { findIncidents } from './find-incidents.ts'
import { toArea } from './group-by-area.ts'
import { getLossKey, type Loss } from './loss.ts'
import { createLoss, JUNEAU, MINUTE, T } from './testing/losses.ts'

const judge = (losses: Loss[], decisions: Decision[] = []) => {
  const areas = Map.groupBy(losses, ({ cell }) => toArea(cell as string))
  const terminals = new Map([...areas].map(([area, here]) => [area, [...new Set(here.map((loss) => loss.terminalId))]]))
  return findIncidents({ losses, terminals, decisions, atMs: T + 10 * MINUTE })
}

const decide = (kind: Decision['kind'], incidentId: string, losses: readonly Loss[]): Decision => ({
  kind,
  incidentId,
  losses: new Set(losses.map(getLossKey)),
})

const summarize = (found: ReturnType<typeof judge>) =>
  found.map(({ id, cause, reach, losses }) => [id, cause, reach, losses.map(({ terminalId }) => terminalId)])

const bethel = [1, 2, 3, 4].map((id) => createLoss(id))
const juneau = [5, 6].map((id) => createLoss(id, { cell: JUNEAU, lostAtMs: T + 5 * MINUTE }))

test('incidents that were merged stay one, with the verdict on the larger, and what joins one joins it', () => {
  const decisions = [decide('merge', 'mine', [...bethel.slice(0, 3), ...juneau])]
  const found = judge([...bethel, ...juneau], decisions)
  expect(summarize(found)).toEqual([['mine', 'network', 'area', [1, 2, 3, 4, 5, 6]]])
  // Never fewer than are lost.
  expect(found[0]?.evidence.observed).toBe(6)
})

test('incidents of single terminals that were merged concern several', () => {
  expect(summarize(judge(juneau, [decide('merge', 'mine', juneau)]))).toEqual([['mine', 'unknown', 'several', [5, 6]]])
})

test('a terminal that was taken out stays out and is judged by itself', () => {
  const decisions = [decide('split', 'mine', bethel.slice(0, 1))]
  expect(summarize(judge(bethel, decisions))).toEqual([
    [null, 'network', 'area', [2, 3, 4]],
    ['mine', 'unknown', 'terminal', [1]],
  ])
})

test('a decision about losses that are not there any more changes nothing', () => {
  const gone = [createLoss(9, { lostAtMs: T - 60 * MINUTE })]
  for (const kind of ['merge', 'split'] as const)
    expect(judge(bethel, [decide(kind, 'mine', gone)])).toEqual(judge(bethel))
})

test('the later of two decisions about the same losses applies', () => {
  const all = [...bethel, ...juneau]
  const merged = decide('merge', 'one', all)
  const apart = decide('split', 'two', juneau)
  expect(summarize(judge(all, [merged, apart]))).toEqual([
    ['one', 'network', 'area', [1, 2, 3, 4]],
    ['two', 'unknown', 'several', [5, 6]],
  ])
  expect(summarize(judge(all, [apart, merged]))).toEqual([['one', 'network', 'area', [1, 2, 3, 4, 5, 6]]])
})

test('whatever people decide, every loss is in exactly one incident', () => {
  const all = [...bethel, ...juneau]
  const anyDecision = fc
    .record({
      kind: fc.constantFrom('merge', 'split'),
      losses: fc.subarray(all, { minLength: 1 }),
      id: fc.constantFrom('a', 'b', 'c'),
    })
    .map(({ kind, losses, id }) => decide(kind as Decision['kind'], id, losses))
  fc.assert(
    fc.property(fc.array(anyDecision, { maxLength: 6 }), (decisions) => {
      const keys = judge(all, decisions).flatMap(({ losses }) => losses.map(getLossKey))
      expect(keys.toSorted()).toEqual(all.map(getLossKey).sort())
    }),
  )
})
