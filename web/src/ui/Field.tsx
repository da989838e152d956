import { PasswordInput, TextInput } from '@mantine/core'
import type { ComponentProps } from 'react'
import classes from './Field.module.css'

interface FieldProps
  extends Pick<ComponentProps<'input'>, 'name' | 'type' | 'autoComplete' | 'autoFocus' | 'inputMode' | 'defaultValue'> {
  label: string
  error: string | undefined
  secret?: boolean
}

/** A labelled input with room for two lines of complaint below, so that nothing moves when one appears. */
export function Field({ error, secret, ...props }: FieldProps) {
  const Input = secret ? PasswordInput : TextInput
  return (
    <Input
      {...props}
      error={error}
      required
      withAsterisk={false}
      size="sm"
      classNames={{ root: classes.field, input: classes.input, error: classes.error }}
    />
  )
}
