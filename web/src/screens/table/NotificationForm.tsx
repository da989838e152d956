import { Anchor, Radio, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FormActions } from '../../ui/FormActions.tsx'
import type { ChangeFormProps } from './ChangeForm.tsx'

export function NotificationForm({ entered, onEnter, onCancel }: ChangeFormProps) {
  const [isOn, setOn] = useState(entered?.kind === 'notifications' ? entered.isOn : true)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onEnter({ kind: 'notifications', isOn })
      }}
    >
      <Stack gap="sm">
        <Radio.Group
          label="Your notifications about these terminals"
          value={isOn ? 'on' : 'off'}
          onChange={(value) => setOn(value === 'on')}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="on" label="On" data-autofocus />
            <Radio value="off" label="Off" />
          </Stack>
        </Radio.Group>
        <Text size="sm" c="var(--quiet)">
          What you are notified of, and by email or SMS, is set in your{' '}
          <Anchor component={Link} to="/profile" inherit underline="always">
            profile
          </Anchor>
          .
        </Text>
        <FormActions action="Preview" pending={false} onCancel={onCancel} />
      </Stack>
    </form>
  )
}
