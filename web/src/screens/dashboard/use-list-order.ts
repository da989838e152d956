import { useQueryClient } from '@tanstack/react-query'
import type { ListOrder } from '#contract/list-order.ts'
import { getErrorMessage } from '../../api.ts'
import { sessionQuery, useSession } from '../../session.ts'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import { notice } from '../../ui/notice.ts'

/** The user's preferred order of the list, stored on the server. */
export function useListOrder(): [saved: ListOrder, save: (order: ListOrder) => void] {
  const queries = useQueryClient()
  const session = useSession()
  const saved = session.state === 'signed in' ? session.user.listOrder : undefined
  const save = async (listOrder: ListOrder) => {
    queries.setQueryData(sessionQuery.queryKey, (user) => user && { ...user, listOrder })
    try {
      // The profile's calls are not loaded with the dashboard.
      const { saveListOrder } = await importWithRetry(() => import('./save-list-order.ts'))
      await saveListOrder(listOrder)
    } catch (error) {
      notice.error(`The order is not remembered. ${getErrorMessage(error)}`)
    }
  }
  return [saved ?? 'name', (order) => void save(order)]
}
