import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { maintenance, type PlannedMaintenance } from '#contract/maintenance.ts'
import { users } from '#contract/users.ts'
import { call, getErrorMessage } from '../../api.ts'
import { notice } from '../../ui/notice.ts'

export const windowsQuery = (terminal: string | undefined) =>
  queryOptions({
    queryKey: ['maintenance', terminal],
    queryFn: ({ signal }) => call(maintenance.list, terminal === undefined ? {} : { terminal }, signal),
    refetchInterval: 30_000,
  })

export const groupsQuery = queryOptions({
  queryKey: ['groups'],
  queryFn: ({ signal }) => call(users.groups, {}, signal).then(({ groups }) => groups),
})

/** After a change, banners and incidents differ too. */
const useChange = <Input, Output>(change: (input: Input) => Promise<Output>, done: string) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      notice.success(done)
      await Promise.all(['maintenance', 'incidents'].map((key) => queries.invalidateQueries({ queryKey: [key] })))
    },
    onError: (error: Error) => notice.error(getErrorMessage(error)),
  })
}

export const useSaveWindow = (id: string | undefined) =>
  useChange(
    (planned: PlannedMaintenance) =>
      id === undefined ? call(maintenance.create, planned) : call(maintenance.change, { id, ...planned }),
    'The maintenance is planned.',
  )

export const useEndWindow = () => useChange((id: string) => call(maintenance.end, { id }), 'The maintenance has ended.')
