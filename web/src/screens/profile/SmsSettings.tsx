import { Button, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { getPhoneMessage, PhoneNumber } from '#contract/phone.ts'
import { type Profile, profile } from '#contract/profile.ts'
import { call, getErrorMessage } from '../../api.ts'
import { notice } from '../../ui/notice.ts'
import { PhoneVerification } from './PhoneVerification.tsx'
import classes from './ProfilePage.module.css'
import { formatPhone } from './phone-format.ts'
import { profileQuery } from './profile.ts'
import { SettingBox } from './SettingBox.tsx'

const changed = 'Your Phone Number for SMS notification has been successfully changed.'

/** SMS requires the user's consent first, then a phone number that is verified by a code. */
export function SmsSettings({ known }: { known: Profile }) {
  const navigate = useNavigate()
  const askConsent = () => {
    if (known.smsConsent !== 'none') return true
    void navigate({ to: '/sms_consent' })
    return false
  }
  return (
    <>
      <SettingBox
        known={known}
        name="enableSmsNotification"
        label="SMS notification of terminals' status changes"
        send={(part) => call(profile.enableSms, part)}
        mayCheck={askConsent}
      />
      {known.smsConsent === 'stopped' && (
        <Text className={classes.nested}>This number has replied STOP. Text START from it to get messages again.</Text>
      )}
      {known.phoneNumber !== null && known.smsConsent === 'none' && (
        <Text className={classes.nested}>
          You have not agreed to texts to {formatPhone(z.encode(PhoneNumber, known.phoneNumber))}. Check the box to
          agree for this number.
        </Text>
      )}
      {known.enableSmsNotification && <PhoneForm known={known.phoneNumber} />}
      {known.enableSmsNotification && known.phoneNumber !== null && known.smsConsent === 'given' && (
        <PhoneVerification key={known.phoneNumber} isVerified={known.phoneVerified} />
      )}
    </>
  )
}

function PhoneForm({ known }: { known: string | null }) {
  const queries = useQueryClient()
  const [typed, setTyped] = useState(known === null ? '' : formatPhone(z.encode(PhoneNumber, known)))
  const [error, setError] = useState<string>()
  const change = useMutation({
    mutationFn: (phoneNumber: string) => call(profile.changePhone, { phoneNumber }),
    onSuccess: async () => {
      notice.success(changed)
      await queries.invalidateQueries({ queryKey: profileQuery.queryKey })
    },
    onError: (cause) => setError(getErrorMessage(cause)),
  })
  const save = (event: FormEvent) => {
    event.preventDefault()
    const parsed = PhoneNumber.safeParse(typed)
    setError(parsed.success ? undefined : getPhoneMessage(typed))
    if (parsed.success) change.mutate(parsed.data)
  }
  return (
    <form onSubmit={save} noValidate className={classes.nested}>
      <TextInput
        className={classes.input}
        label="Phone Number"
        description="10 digits, or + and the country code outside the US and Canada"
        placeholder="Enter 10-digit phone number"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        mb="sm"
        value={typed}
        onChange={({ currentTarget }) => setTyped(formatPhone(currentTarget.value))}
        error={error}
      />
      <Button type="submit" variant="default" h="var(--touch)" loading={change.isPending}>
        Confirm
      </Button>
    </form>
  )
}
