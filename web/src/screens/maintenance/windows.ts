import { queryOptions } from '@tanstack/react-query'
import { maintenance, type PlannedMaintenance } from '#contract/maintenance.ts'
import { call } from '../../api.ts'
import { useChangeWithNotice } from '../../parts/use-change-with-notice.ts'

export const windowsQuery = (terminal: string | undefined) =>
  queryOptions({
    queryKey: ['maintenance', terminal],
    queryFn: ({ signal }) => call(maintenance.list, terminal === undefined ? {} : { terminal }, signal),
    refetchInterval: 30_000,
  })

/** Maintenance also affects banners and incidents. */
const shownBy = ['maintenance', 'incidents']

export const useSaveWindow = (id: string | undefined) =>
  useChangeWithNotice(
    (planned: PlannedMaintenance) =>
      id === undefined ? call(maintenance.create, planned) : call(maintenance.change, { id, ...planned }),
    { done: 'The maintenance is planned.', shownBy },
  )

export const useEndWindow = () =>
  useChangeWithNotice((id: string) => call(maintenance.end, { id }), { done: 'The maintenance has ended.', shownBy })
