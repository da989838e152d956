import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type Profile, profile } from '#contract/profile.ts'
import { securityEvents } from '#contract/security-events.ts'
import { sessions } from '#contract/sessions.ts'
import { call, getErrorMessage } from '../../api.ts'
import { notice } from '../../ui/notice.ts'

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => call(profile.get, {}, signal),
})

export const ownSessionsQuery = queryOptions({
  queryKey: ['own sessions'],
  queryFn: async ({ signal }) => (await call(sessions.list, {}, signal)).sessions,
})

export const ownActivityQuery = queryOptions({
  queryKey: ['own activity'],
  queryFn: async ({ signal }) => (await call(securityEvents.mine, {}, signal)).events,
})

/** Changes a part of the profile: shown at once, and reverted with a message if the server refuses. */
export function useProfileChange<Part extends Partial<Profile>>(send: (part: Part) => Promise<unknown>) {
  const queries = useQueryClient()
  const merge = (part: Partial<Profile>) =>
    queries.setQueryData(profileQuery.queryKey, (known) => known && { ...known, ...part })
  return useMutation({
    mutationFn: send,
    onMutate: async (part: Part) => {
      await queries.cancelQueries({ queryKey: profileQuery.queryKey })
      const before = queries.getQueryData(profileQuery.queryKey)
      merge(part)
      return before
    },
    onError: (error, part, before) => {
      console.warn('A change of the profile failed:', error)
      notice.error(getErrorMessage(error))
      if (before) merge(Object.fromEntries(Object.keys(part).map((name) => [name, before[name as keyof Profile]])))
    },
  })
}
