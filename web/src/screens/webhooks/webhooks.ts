import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type Webhook, type WebhookDelivery, webhooks } from '#contract/webhooks.ts'
import { call, getErrorMessage } from '../../api.ts'
import { notice } from '../../ui/notice.ts'

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: async ({ signal }) => (await call(webhooks.list, {}, signal)).webhooks,
  refetchInterval: 15_000,
})

export const deliveriesQuery = (id: string, state: WebhookDelivery['state'] | undefined) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', 'deliveries', id, state],
    queryFn: ({ pageParam, signal }) =>
      call(webhooks.deliveries, { id, ...(state && { state }), ...pageParam }, signal),
    initialPageParam: {} as { before?: string },
    getNextPageParam: ({ deliveries, isMore }) => {
      const last = deliveries.at(-1)
      return last && isMore ? { before: last.id } : undefined
    },
    refetchInterval: 5_000,
  })

export const deliveryQuery = (id: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['webhooks', 'delivery', id, deliveryId],
    queryFn: async ({ signal }) => (await call(webhooks.delivery, { id, deliveryId }, signal)).delivery,
    refetchInterval: 2_000,
  })

/** Makes a change to webhooks, then refetches the queries that show them. */
export function useWebhookChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  done?: string,
  reportError: (error: Error) => void = (error) => notice.error(getErrorMessage(error)),
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      if (done !== undefined) notice.success(done)
    },
    onError: reportError,
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  })
}

/** The states of a delivery. */
export const stateNames = { queued: 'Waiting', delivered: 'Sent', failed: 'Not sent' }

/** The state of a webhook in one word. */
export const describeState = ({ pausedAt, failingSince, lastDeliveredAt }: Webhook) => {
  if (pausedAt) return 'Paused'
  if (failingSince) return 'Failing'
  return lastDeliveredAt ? 'Working' : 'Not used yet'
}

export const describeTarget = ({ target }: Webhook) => {
  if (target.kind === 'group') return `Group ${target.group}`
  return target.kind === 'terminals' ? target.terminals.join(', ') : 'All terminals'
}
