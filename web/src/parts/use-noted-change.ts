import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getErrorMessage } from '../api.ts'
import { notice } from '../ui/notice.ts'

/** Changes something, says so, and refetches what shows it. A failure is said too. */
export const useNotedChange = <Input, Output>(
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
