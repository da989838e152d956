import { PasswordInput, TextInput } from '@mantine/core'
import type { ComponentProps } from 'react'
import classes from './Field.module.css'

interface FieldProps
  extends Pick<ComponentProps<'input'>, 'name' | 'type' | 'autoComplete' | 'autoFocus' | 'inputMode' | 'defaultValue'> {
  label: string
  error: string | undefined
  secret?: boolean
}

/** A labeled input with space for an error below, so that nothing moves when one appears; passwords need two lines. */
export function Field({ error, secret, ...props }: FieldProps) {
  const Input = secret ? PasswordInput : TextInput
  return (
    <Input
      {...props}
      error={error}
      required
      withAsterisk={false}
      size="sm"
      wrapperProps={{ 'data-long': secret || undefined }}
      classNames={{ root: classes.field, input: classes.input, error: classes.error }}
    />
  )
}
