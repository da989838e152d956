import { Anchor, Button } from '@mantine/core'
import { Email, emailMessage } from '#contract/credentials.ts'
import { identity } from '#contract/identity.ts'
import { call } from '../../api.ts'
import { Field } from '../../ui/Field.tsx'
import { FormMessage } from './FormMessage.tsx'
import { useSubmit } from './use-submit.ts'

const check = ({ email }: { email: string }) => (Email.safeParse(email).success ? {} : { email: emailMessage })

export function ForgotForm({ onSent, onBack }: { onSent: () => void; onBack: () => void }) {
  const { errors, problem, pending, onSubmit } = useSubmit(check, async ({ email }, tenant) => {
    await call(identity.forgotPassword, { email, tenant })
    onSent()
  })
  return (
    <form onSubmit={onSubmit} noValidate>
      <Field name="email" type="email" label="Email" autoComplete="username" autoFocus error={errors.email} />
      <FormMessage problem={problem} />
      <Button type="submit" fullWidth h="var(--touch)" loading={pending}>
        Send a new password
      </Button>
      <Anchor component="button" type="button" mt="md" size="sm" onClick={onBack}>
        Back to sign in
      </Anchor>
    </form>
  )
}
