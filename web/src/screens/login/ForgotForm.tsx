import { Anchor, Text } from '@mantine/core'
import { Email, emailMessage } from '#contract/credentials.ts'
import { identity } from '#contract/identity.ts'
import { call } from '../../api.ts'
import { Field } from '../../ui/Field.tsx'
import { FormMessage } from './FormMessage.tsx'
import classes from './LoginPage.module.css'
import { SubmitButton } from './SubmitButton.tsx'
import { useSubmit } from './use-submit.ts'

const validate = ({ email }: { email: string }) => (Email.safeParse(email).success ? {} : { email: emailMessage })

interface ForgotFormProps {
  email: string
  onSent: (email: string) => void
  onBack: () => void
}

export function ForgotForm({ email: known, onSent, onBack }: ForgotFormProps) {
  const { errors, message, isWaiting, pending, onSubmit, onInput } = useSubmit(validate, async ({ email }, tenant) => {
    await call(identity.forgotPassword, { email, tenant })
    onSent(email)
  })
  return (
    <form onSubmit={onSubmit} onInput={onInput} noValidate className={classes.form}>
      <Text size="sm" c="var(--quiet)" mb="md">
        We will mail you a password that works once.
      </Text>
      <Field
        name="email"
        type="email"
        label="Email"
        autoComplete="username"
        defaultValue={known}
        autoFocus
        error={errors.email}
      />
      <FormMessage {...message} />
      <SubmitButton pending={pending} isWaiting={isWaiting}>
        Send a new password
      </SubmitButton>
      <Anchor component="button" type="button" mt="md" size="sm" onClick={onBack}>
        Back to sign in
      </Anchor>
    </form>
  )
}
