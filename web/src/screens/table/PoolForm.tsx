import { NativeSelect, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { sortNaturally } from '#contract/format/natural-order.ts'
import { poolsQuery } from '../../parts/pools-query.ts'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { FormActions } from '../../ui/FormActions.tsx'
import type { ChangeFormProps } from './ChangeForm.tsx'

const NONE = ''

export function PoolForm({ entered, onEnter, onCancel }: ChangeFormProps) {
  const pools = useQuery(poolsQuery)
  if (pools.error) return <QueryFailure what="The data pools could not be loaded." query={pools} />
  if (!pools.data) return <Text role="status">Loading...</Text>
  const choices = sortNaturally(pools.data, ({ plan_name }) => plan_name).map((pool) => ({
    value: pool.virtual_plan_id,
    label: pool.plan_name,
  }))
  const before = entered?.kind === 'pool' ? (entered.poolId ?? NONE) : choices[0]?.value
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const chosen = String(new FormData(event.currentTarget).get('pool'))
    onEnter({ kind: 'pool', poolId: chosen === NONE ? null : chosen })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <NativeSelect
          name="pool"
          label="Data pool"
          description="A terminal in another pool stays there until it is removed from it"
          data={[...choices, { value: NONE, label: 'No pool: take them out' }]}
          defaultValue={before}
        />
        <FormActions action="Preview" pending={false} onCancel={onCancel} />
      </Stack>
    </form>
  )
}
