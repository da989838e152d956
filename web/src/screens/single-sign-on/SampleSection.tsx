import { Button, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Rule, singleSignOn } from '#contract/single-sign-on.ts'
import { call, getErrorMessage } from '../../api.ts'
import { FormSection } from '../../ui/FormSection.tsx'
import { splitFieldError } from '../../ui/form-errors.ts'
import classes from './SingleSignOnPage.module.css'

const EXAMPLE = '{ "email": "jo@example.com", "email_verified": true, "groups": ["noc"] }'

/** The server counts from zero. */
const nameRule = (message: string) =>
  message.replace(/^rules\.(\d+)\.\w+: /, (_, place) => `Rule ${Number(place) + 1}: `)

/** Tests the rules as entered, saved or not. */
export function SampleSection({ rules }: { rules: Rule[] }) {
  const [sample, setSample] = useState('')
  const attempt = useMutation({ mutationFn: () => call(singleSignOn.tryClaims, { sample, rules }) })
  const problem = attempt.isError ? nameRule(getErrorMessage(attempt.error)) : ''
  const { sample: fault } = splitFieldError(problem, ['sample'])
  return (
    <FormSection
      title="Try the rules"
      about="On the claims of a user as JSON, or on a token of the provider. Nothing is changed."
    >
      <Textarea
        label="Sample claims or token"
        placeholder={EXAMPLE}
        value={sample}
        onChange={({ currentTarget }) => setSample(currentTarget.value)}
        error={fault}
        autosize
        minRows={3}
        maxRows={12}
      />
      <Button
        variant="default"
        className={classes.start}
        h="var(--touch)"
        loading={attempt.isPending}
        onClick={() => attempt.mutate()}
      >
        Try
      </Button>
      <Text role="status">{attempt.data?.text}</Text>
      {fault === undefined && problem !== '' && <Text role="alert">{problem}</Text>}
    </FormSection>
  )
}
