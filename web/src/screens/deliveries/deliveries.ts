import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type Delivery, type DeliveryDetail, deliveries } from '#contract/deliveries.ts'
import { call, getErrorMessage } from '../../api.ts'
import { notice } from '../../ui/notice.ts'

export const deliveriesQuery = (state: Delivery['state'] | undefined) =>
  queryOptions({
    queryKey: ['deliveries', state ?? 'all'],
    queryFn: ({ signal }) => call(deliveries.list, state ? { state } : {}, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  })

export const deliveryQuery = (messageId: string) =>
  queryOptions({
    queryKey: ['deliveries', 'message', messageId],
    queryFn: async ({ signal }) => (await call(deliveries.get, { messageId }, signal)).delivery,
    refetchInterval: 15_000,
  })

export function useResend(messageId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(deliveries.resend, { messageId }),
    onSuccess: ({ message }) => notice.success(message),
    onError: (error) => notice.error(getErrorMessage(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['deliveries'] }),
  })
}

export const stateNames: Record<Delivery['state'], string> = {
  queued: 'Waiting',
  sending: 'Sending',
  sent: 'Sent',
  failed: 'Not sent',
  unknown: 'Unknown',
}

export const hindranceWords: Record<NonNullable<DeliveryDetail['hindrance']>, string> = {
  'under way': 'It has not been sent yet.',
  secret: 'It contained a code or a password. Its text is deleted once it is sent, and it is never sent again.',
  expired: 'It is out of date and is not sent again.',
}
