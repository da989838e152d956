import { Anchor, Group } from '@mantine/core'
import { useRef } from 'react'
import { Email, emailMessage, isPasswordAllowed, passwordMessage } from '#contract/credentials.ts'
import { type Factor, identity } from '#contract/identity.ts'
import { call } from '../../api.ts'
import { hasPasskeys } from '../../parts/passkeys.ts'
import { Field } from '../../ui/Field.tsx'
import { FormMessage } from './FormMessage.tsx'
import classes from './LoginPage.module.css'
import { SubmitButton } from './SubmitButton.tsx'
import { useCompleteSignIn } from './use-complete-sign-in.ts'
import { usePasskey, usePasskeyAutofill } from './use-passkey.ts'
import { useSubmit } from './use-submit.ts'

interface SignInFormProps {
  email: string
  notice: string | undefined
  onCodeNeeded: (email: string, factors: readonly Factor[] | undefined) => void
  onNewUser: () => void
  onForgot: (email: string) => void
}

const validate = ({ email, password }: { email: string; password: string }) => ({
  ...(!Email.safeParse(email).success && { email: emailMessage }),
  ...(!isPasswordAllowed(password) && { password: passwordMessage }),
})

export function SignInForm({ email: known, notice, onCodeNeeded, onNewUser, onForgot }: SignInFormProps) {
  const completeSignIn = useCompleteSignIn(onNewUser)
  const passkey = usePasskey('only factor', onNewUser)
  usePasskeyAutofill(passkey)
  const form = useRef<HTMLFormElement>(null)
  const forgot = () => onForgot(String(new FormData(form.current ?? undefined).get('email') ?? ''))
  const { errors, message, isWaiting, pending, onSubmit, onInput } = useSubmit(
    validate,
    async ({ email, password }, tenant) => {
      const signIn = await call(identity.login, { email, password, tenant })
      if (signIn.requires2FA) return onCodeNeeded(email, signIn.factors)
      await completeSignIn(signIn, 'Login succeeded but no token received. Please try again.')
    },
  )
  return (
    <form ref={form} onSubmit={onSubmit} onInput={onInput} noValidate className={classes.form}>
      <Field
        name="email"
        type="email"
        label="Email"
        autoComplete="username webauthn"
        defaultValue={known}
        error={errors.email}
      />
      <Field name="password" label="Password" autoComplete="current-password" secret error={errors.password} />
      <FormMessage notice={notice} {...message} problem={message.problem ?? passkey.problem} />
      <SubmitButton pending={pending} isWaiting={isWaiting}>
        Sign In
      </SubmitButton>
      <Group justify={hasPasskeys() ? 'space-between' : 'center'} mt="md" gap="xs">
        <Anchor component="button" type="button" size="sm" onClick={forgot}>
          Forgot Password?
        </Anchor>
        {hasPasskeys() && (
          <Anchor component="button" type="button" size="sm" onClick={passkey.signIn} disabled={passkey.pending}>
            Sign in with a passkey
          </Anchor>
        )}
      </Group>
    </form>
  )
}
