import { Anchor, Text } from '@mantine/core'
import { Otp } from '#contract/credentials.ts'
import { identity } from '#contract/identity.ts'
import { call } from '../../api.ts'
import { Field } from '../../ui/Field.tsx'
import { FormMessage } from './FormMessage.tsx'
import classes from './LoginPage.module.css'
import { SubmitButton } from './SubmitButton.tsx'
import { useCompleteSignIn } from './use-complete-sign-in.ts'
import { useSubmit } from './use-submit.ts'

const check = ({ otp }: { otp: string }) => {
  const parsed = Otp.safeParse(otp)
  return parsed.success ? {} : { otp: parsed.error.issues[0]?.message ?? 'This field is required.' }
}

interface OtpFormProps {
  email: string
  onNewUser: () => void
  onBack: () => void
}

export function OtpForm({ email, onNewUser, onBack }: OtpFormProps) {
  const completeSignIn = useCompleteSignIn(onNewUser)
  const { errors, message, isWaiting, pending, onSubmit } = useSubmit(check, async ({ otp }, tenant) => {
    const signIn = await call(identity.verifyOtp, { email, otp, tenant })
    await completeSignIn(signIn, 'Verification succeeded but no token received.')
  })
  return (
    <form onSubmit={onSubmit} noValidate className={classes.form}>
      <Text size="sm" c="var(--quiet)" mb="md">
        Enter the six digits that were sent to {email}.
      </Text>
      <Field name="otp" label="OTP" inputMode="numeric" autoComplete="one-time-code" autoFocus error={errors.otp} />
      <FormMessage {...message} />
      <SubmitButton pending={pending} isWaiting={isWaiting}>
        Verify OTP
      </SubmitButton>
      <Anchor component="button" type="button" mt="md" size="sm" onClick={onBack}>
        Back to sign in
      </Anchor>
    </form>
  )
}
