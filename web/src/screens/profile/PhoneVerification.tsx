import { Button, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { Otp } from '#contract/credentials.ts'
import { profile } from '#contract/profile.ts'
import { call, getErrorMessage } from '../../api.ts'
import { notice } from '../../ui/notice.ts'
import classes from './ProfilePage.module.css'
import { profileQuery } from './profile.ts'

/** Until the texted code is entered, nothing else is sent to the number. */
export function PhoneVerification({ isVerified }: { isVerified: boolean }) {
  const [isSent, setIsSent] = useState(false)
  const send = useMutation({
    mutationFn: () => call(profile.sendPhoneCode, {}),
    onSuccess: ({ message }) => {
      setIsSent(true)
      notice.success(message)
    },
    onError: (error) => notice.error(getErrorMessage(error)),
  })
  if (isVerified) return <Text className={classes.nested}>This number is verified.</Text>
  return (
    <div className={classes.nested}>
      <Text mb="sm">This number is not verified. No messages are sent to it until you enter a code.</Text>
      {isSent && <CodeForm />}
      <Button variant="default" h="var(--touch)" loading={send.isPending} onClick={() => send.mutate()}>
        {isSent ? 'Send another code' : 'Send a code'}
      </Button>
    </div>
  )
}

function CodeForm() {
  const queries = useQueryClient()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const verify = useMutation({
    mutationFn: (digits: string) => call(profile.verifyPhone, { code: digits }),
    onSuccess: async () => {
      notice.success('Your number is verified.')
      await queries.invalidateQueries({ queryKey: profileQuery.queryKey })
    },
    onError: (cause) => setError(getErrorMessage(cause)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const parsed = z.safeParse(Otp, code)
    setError(parsed.success ? undefined : parsed.error.issues[0]?.message)
    if (parsed.success) verify.mutate(parsed.data)
  }
  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        className={classes.input}
        label="Code"
        description="Six digits, from the text message"
        inputMode="numeric"
        autoComplete="one-time-code"
        mb="sm"
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value.trim())}
        error={error}
      />
      <Button type="submit" variant="default" h="var(--touch)" mb="sm" loading={verify.isPending}>
        Verify
      </Button>
    </form>
  )
}
