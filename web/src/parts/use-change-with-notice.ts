import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getErrorMessage } from '../api.ts'
import { notice } from '../ui/notice.ts'

/** Makes a change, shows a notice of success or failure, and refetches the affected queries. */
export const useChangeWithNotice = <Input, Output>(
  change: (input: Input) => Promise<Output>,
  { done, shownBy }: { done: string; shownBy: readonly string[] },
) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      notice.success(done)
      await Promise.all(shownBy.map((key) => queries.invalidateQueries({ queryKey: [key] })))
    },
    onError: (error: Error) => notice.error(getErrorMessage(error)),
  })
}
