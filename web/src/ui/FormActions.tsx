import { Alert, Button, Group } from '@mantine/core'

interface FormActionsProps {
  /** The label of the submit button. */
  action: string
  pending: boolean
  isDisabled?: boolean
  /** Why the last attempt failed. */
  failure?: string | null | undefined
  onCancel: () => void
}

/** The buttons at the end of a dialog's form. */
export function FormActions({ action, pending, isDisabled, failure, onCancel }: FormActionsProps) {
  return (
    <>
      {failure && (
        <Alert color="red" role="alert">
          {failure}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={pending} disabled={isDisabled}>
          {action}
        </Button>
      </Group>
    </>
  )
}
