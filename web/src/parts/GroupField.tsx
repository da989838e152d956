import { Autocomplete, type AutocompleteProps } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { users } from '#contract/users.ts'
import { call } from '../api.ts'

/** The groups that have users or lines. A change of a user refetches them. */
const groupsQuery = queryOptions({
  queryKey: ['users', 'groups'],
  queryFn: async ({ signal }) => (await call(users.groups, {}, signal)).groups,
})

/** A field for a group, which suggests the existing ones. */
export function GroupField(props: Omit<AutocompleteProps, 'label' | 'data'>) {
  const groups = useQuery(groupsQuery)
  return (
    <Autocomplete
      name="group"
      label="GroupID"
      required
      data={groups.data ?? []}
      limit={50}
      maxDropdownHeight={200}
      comboboxProps={{ withinPortal: false }}
      autoComplete="off"
      {...props}
    />
  )
}
