import { formatCount } from '#contract/format/numbers.ts'
import type { Crossing } from '#contract/plans.ts'

type Order = Crossing['orders'][number]

const stateWords: Record<Order['state'], string> = {
  asked: 'waiting',
  sending: 'on the way',
  accepted: 'accepted',
  seen: 'done',
  refused: 'refused',
  'not confirmed': 'not confirmed',
  withdrawn: 'withdrawn',
}

const summarizeOrders = (orders: readonly Order[], words: string) => {
  if (orders.length === 0) return []
  const counts = Map.groupBy(orders, ({ state }) => state)
  const parts = [...counts].map(([state, some]) => `${formatCount(some.length)} ${stateWords[state]}`)
  return [`${orders.length === 1 ? 'One line' : `${formatCount(orders.length)} lines`} ${words}: ${parts.join(', ')}.`]
}

/** '3 lines opted out: 2 done, 1 refused. Nome Clinic: no such line.' */
export const describeOrders = (orders: readonly Order[]) =>
  [
    ...summarizeOrders(
      orders.filter(({ desired }) => desired === 'opt out'),
      'opted out',
    ),
    ...summarizeOrders(
      orders.filter(({ desired }) => desired === 'opt in'),
      'opted in again',
    ),
    ...orders.flatMap(({ nickname, problem }) => (problem ? [`${nickname}: ${problem}`] : [])),
  ].join(' ')
