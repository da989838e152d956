import { Anchor, Button, Text } from '@mantine/core'
import { Otp } from '#contract/credentials.ts'
import { identity } from '#contract/identity.ts'
import { call } from '../../api.ts'
import { Field } from '../../ui/Field.tsx'
import { FormMessage } from './FormMessage.tsx'
import { useEnter } from './use-enter.ts'
import { useSubmit } from './use-submit.ts'

const check = ({ otp }: { otp: string }) => {
  const parsed = Otp.safeParse(otp)
  return parsed.success ? {} : { otp: parsed.error.issues[0]?.message ?? 'This field is required.' }
}

export function OtpForm({ email, onBack }: { email: string; onBack: () => void }) {
  const enter = useEnter()
  const { errors, problem, pending, onSubmit } = useSubmit(check, async ({ otp }, tenant) => {
    const answer = await call(identity.verifyOtp, { email, otp, tenant })
    await enter(answer, 'Verification succeeded but no token received.')
  })
  return (
    <form onSubmit={onSubmit} noValidate>
      <Text size="sm" c="var(--quiet)" mb="md">
        A code was sent to {email}.
      </Text>
      <Field name="otp" label="Code" inputMode="numeric" autoComplete="one-time-code" autoFocus error={errors.otp} />
      <FormMessage problem={problem} />
      <Button type="submit" fullWidth h="var(--touch)" loading={pending}>
        Verify OTP
      </Button>
      <Anchor component="button" type="button" mt="md" size="sm" onClick={onBack}>
        Back to sign in
      </Anchor>
    </form>
  )
}
