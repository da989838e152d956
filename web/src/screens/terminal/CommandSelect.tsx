import { NativeSelect } from '@mantine/core'
import type { CommandReceipt } from '#contract/command-receipt.ts'
import { useFocusReturn } from '../../ui/focus-return.ts'
import { Receipt } from './Receipt.tsx'

interface CommandSelectProps<Choice extends string> {
  label: string
  value: Choice
  choices: readonly Choice[]
  isUpdating: boolean
  /** Why it cannot be changed; undefined when it can. */
  denied: string | undefined
  receipt: CommandReceipt | undefined
  onChoose: (choice: Choice) => void
}

/** A setting of the line or terminal. Shows that an update is in progress, then the value that the server returned. */
export function CommandSelect<Choice extends string>(props: CommandSelectProps<Choice>) {
  const { label, value, choices, isUpdating, denied, receipt, onChoose } = props
  return (
    <div>
      <NativeSelect
        ref={useFocusReturn<HTMLSelectElement>(isUpdating)}
        label={label}
        description={denied}
        value={isUpdating ? 'Updating...' : value}
        data={isUpdating ? ['Updating...'] : [...choices]}
        disabled={isUpdating || denied !== undefined}
        onChange={({ currentTarget }) => onChoose(currentTarget.value as Choice)}
        styles={{ input: { height: 'var(--touch)', minHeight: 'var(--touch)' } }}
      />
      <Receipt receipt={receipt} />
    </div>
  )
}
