import { Anchor, Button } from '@mantine/core'
import { Email, emailMessage, isPasswordAllowed, passwordMessage } from '#contract/credentials.ts'
import { identity } from '#contract/identity.ts'
import { call } from '../../api.ts'
import { Field } from '../../ui/Field.tsx'
import { FormMessage } from './FormMessage.tsx'
import { useEnter } from './use-enter.ts'
import { useSubmit } from './use-submit.ts'

interface SignInFormProps {
  notice: string | undefined
  onCodeNeeded: (email: string) => void
  onForgot: () => void
}

const check = ({ email, password }: { email: string; password: string }) => ({
  ...(!Email.safeParse(email).success && { email: emailMessage }),
  ...(!isPasswordAllowed(password) && { password: passwordMessage }),
})

export function SignInForm({ notice, onCodeNeeded, onForgot }: SignInFormProps) {
  const enter = useEnter()
  const { errors, problem, pending, onSubmit } = useSubmit(check, async ({ email, password }, tenant) => {
    const answer = await call(identity.login, { email, password, tenant })
    if (answer.requires2FA) return onCodeNeeded(email)
    await enter(answer, 'Login succeeded but no token received. Please try again.')
  })
  return (
    <form onSubmit={onSubmit} noValidate>
      <Field name="email" type="email" label="Email" autoComplete="username" error={errors.email} />
      <Field name="password" label="Password" autoComplete="current-password" secret error={errors.password} />
      <FormMessage problem={problem} notice={notice} />
      <Button type="submit" fullWidth h="var(--touch)" loading={pending}>
        Sign In
      </Button>
      <Anchor component="button" type="button" mt="md" size="sm" onClick={onForgot}>
        Forgot Password?
      </Anchor>
    </form>
  )
}
