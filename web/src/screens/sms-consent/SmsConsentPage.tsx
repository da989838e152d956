import { Button, Checkbox, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { profile } from '#contract/profile.ts'
import { writeSmsConsent } from '#contract/sms-consent.ts'
import { call, getErrorMessage } from '../../api.ts'
import { useTenantConfig } from '../../brand/tenant.ts'
import { QuestionDialog } from '../../ui/dialogs.tsx'
import { notice } from '../../ui/notice.ts'

export function SmsConsentPage() {
  const { company_name, support_phone, support_email } = useTenantConfig()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [isQuestionOpen, setQuestionOpen] = useState(false)
  const toProfile = () => navigate({ to: '/profile' })
  const agree = useMutation({
    mutationFn: () => call(profile.consentToSms, {}),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['profile'] })
      await toProfile()
    },
    onError: (error) => {
      setQuestionOpen(false)
      notice.error(getErrorMessage(error))
    },
  })
  const support = [support_phone, support_email].filter((way) => way).join(' or ') || 'see the Support page'
  return (
    <Paper component="section" withBorder radius={12} p="lg" maw={640} w="calc(100% - 32px)" mx="auto" my="lg">
      <Title order={1} mb="md">
        SMS Messaging
      </Title>
      <Stack gap="sm" style={{ overflowWrap: 'anywhere' }}>
        {writeSmsConsent(company_name ?? 'Dishboard', support).map((sentence) => (
          <Text key={sentence}>{sentence}</Text>
        ))}
      </Stack>
      <Checkbox
        my="lg"
        label="I agree to enable SMS messaging"
        checked={isQuestionOpen || agree.isPending || agree.isSuccess}
        onChange={({ currentTarget }) => setQuestionOpen(currentTarget.checked)}
      />
      <Button variant="default" h="var(--touch)" onClick={() => void toProfile()}>
        Do not enable SMS messaging
      </Button>
      <QuestionDialog
        title="SMS Messaging"
        opened={isQuestionOpen}
        pending={agree.isPending}
        action="Enable"
        onConfirm={() => agree.mutate()}
        onClose={() => setQuestionOpen(false)}
      >
        Are you sure to enable the SMS messaging?
      </QuestionDialog>
    </Paper>
  )
}
