import { Anchor, Text } from '@mantine/core'
import { useState } from 'react'
import { Otp, RecoveryCode } from '#contract/credentials.ts'
import { type CodeFactor, type Factor, identity } from '#contract/identity.ts'
import { call } from '../../api.ts'
import { hasPasskeys } from '../../parts/passkeys.ts'
import { CodeInput } from '../../ui/CodeInput.tsx'
import { Field } from '../../ui/Field.tsx'
import { FormMessage } from './FormMessage.tsx'
import classes from './LoginPage.module.css'
import { PasskeyForm } from './PasskeyForm.tsx'
import { SendCode } from './SendCode.tsx'
import { SubmitButton } from './SubmitButton.tsx'
import { useCompleteSignIn } from './use-complete-sign-in.ts'
import { useSubmit } from './use-submit.ts'

const choices: Record<Factor, string> = {
  passkey: 'Use my passkey',
  totp: 'Use my authenticator app',
  email: 'Mail me a code',
  recovery: 'Use a recovery code',
}

interface OtpFormProps {
  email: string
  /** The factors to choose from, strongest first. Undefined: a code was mailed, and there is no alternative. */
  factors: readonly Factor[] | undefined
  onNewUser: () => void
  onBack: () => void
}

/** Asks for the second factor. */
export function OtpForm({ email, factors, onNewUser, onBack }: OtpFormProps) {
  const usable = factors?.filter((each) => each !== 'passkey' || hasPasskeys())
  const [factor, setFactor] = useState<Factor>(usable?.[0] ?? 'email')
  const others = usable?.filter((each) => each !== factor) ?? []
  if (usable?.length === 0) return <NothingUsable onBack={onBack} />
  return (
    <div className={classes.form}>
      {factor === 'email' && <SendCode email={email} isSent={factors === undefined} />}
      {factor === 'passkey' ? (
        <PasskeyForm onNewUser={onNewUser} />
      ) : (
        <CodeForm key={factor} email={email} factor={factor} onNewUser={onNewUser} />
      )}
      <div className={classes.choices}>
        {others.map((each) => (
          <Anchor key={each} component="button" type="button" size="sm" onClick={() => setFactor(each)}>
            {choices[each]}
          </Anchor>
        ))}
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          Back to sign in
        </Anchor>
      </div>
    </div>
  )
}

/** A passkey is bound to the host name, and all recovery codes may be used up. */
function NothingUsable({ onBack }: { onBack: () => void }) {
  return (
    <div className={classes.form}>
      <Text size="sm" role="alert">
        None of your second factors can be used here. Please use another browser or address, or ask your administrator
        to reset them.
      </Text>
      <div className={classes.choices}>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          Back to sign in
        </Anchor>
      </div>
    </div>
  )
}

interface CodeFormProps {
  email: string
  factor: CodeFactor
  onNewUser: () => void
}

function CodeForm({ email, factor, onNewUser }: CodeFormProps) {
  const completeSignIn = useCompleteSignIn(onNewUser)
  const validate = ({ otp }: { otp: string }) => {
    const parsed = (factor === 'recovery' ? RecoveryCode : Otp).safeParse(otp)
    return parsed.success ? {} : { otp: parsed.error.issues[0]?.message ?? 'This field is required.' }
  }
  const { errors, message, isWaiting, pending, onSubmit } = useSubmit(validate, async ({ otp }, tenant) => {
    const signIn = await call(identity.verifyOtp, { email, otp, tenant, factor })
    await completeSignIn(signIn, 'Verification succeeded but no token received.')
  })
  return (
    <form onSubmit={onSubmit} noValidate>
      {factor === 'totp' && (
        <Text size="sm" c="var(--quiet)" mb="md">
          Enter the six digits that your authenticator app shows.
        </Text>
      )}
      {factor === 'recovery' ? (
        <Field name="otp" label="Recovery code" autoComplete="off" autoFocus error={errors.otp} />
      ) : (
        <CodeInput name="otp" label="OTP" autoFocus error={errors.otp} />
      )}
      <FormMessage {...message} />
      <SubmitButton pending={pending} isWaiting={isWaiting}>
        Verify OTP
      </SubmitButton>
    </form>
  )
}
