import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
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

interface ProfileSetting<Value> {
  value: Value
  isSaving: boolean
  set: (value: Value) => void
}

/** One setting of the profile. A change is shown at once, and reverted with a message if the server refuses. */
export function useProfileSetting<Name extends keyof Profile>(
  known: Profile,
  name: Name,
  send: (part: Pick<Profile, Name>) => Promise<unknown>,
): ProfileSetting<Profile[Name]> {
  const queries = useQueryClient()
  const [picked, setPicked] = useState<Profile[Name]>()
  const merge = (value: Profile[Name]) =>
    queries.setQueryData(profileQuery.queryKey, (profile) => profile && { ...profile, [name]: value })
  const change = useMutation({
    mutationFn: (value: Profile[Name]) => send({ [name]: value } as Pick<Profile, Name>),
    onMutate: async (value) => {
      await queries.cancelQueries({ queryKey: profileQuery.queryKey })
      const before = queries.getQueryData(profileQuery.queryKey)
      merge(value)
      return before
    },
    onError: (error, _, before) => {
      console.warn('A change of the profile failed:', error)
      notice.error(getErrorMessage(error))
      if (before) merge(before[name])
    },
    onSettled: () => setPicked(undefined),
  })
  return {
    value: picked ?? known[name],
    isSaving: change.isPending,
    set: (value) => {
      // The queries notify their components later. React would reset the control until then.
      setPicked(value)
      change.mutate(value)
    },
  }
}
