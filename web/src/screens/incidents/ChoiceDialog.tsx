import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Dialog } from '../../ui/Dialog.tsx'
import classes from './IncidentPage.module.css'

interface Choice {
  value: string
  label: string
}

interface ChoiceDialogProps {
  title: string
  text: string
  /** The name of the list. */
  label: string
  /** Undefined while loading. */
  choices: Choice[] | undefined
  empty: string
  action: string
  pending: boolean
  onChoose: (values: string[]) => void
  onClose: () => void
}

/** Asks the user to select items of a list. */
export function ChoiceDialog({ title, text, label, choices, empty, action, pending, ...on }: ChoiceDialogProps) {
  const [chosen, setChosen] = useState<string[]>([])
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setError(chosen.length === 0 ? 'Please choose at least one.' : undefined)
    if (chosen.length > 0) on.onChoose(chosen)
  }
  return (
    <Dialog onClose={on.onClose} title={title} centered size="md">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <Text c="var(--quiet)">{text}</Text>
          {choices === undefined && <Text role="status">Loading...</Text>}
          {choices?.length === 0 && <Text>{empty}</Text>}
          {choices && choices.length > 0 && (
            <Checkbox.Group label={label} value={chosen} onChange={setChosen} error={error}>
              <Stack gap="xs" mt="xs" className={classes.choices}>
                {choices.map((choice) => (
                  <Checkbox key={choice.value} value={choice.value} label={choice.label} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={on.onClose}>
              Cancel
            </Button>
            {choices && choices.length > 0 && (
              <Button type="submit" loading={pending}>
                {action}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
