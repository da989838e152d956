import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { personalData } from '#contract/personal-data.ts'
import { call, getErrorMessage } from '../../api.ts'
import { savePersonalData } from '../../parts/save-personal-data.ts'
import { notice } from '../../ui/notice.ts'
import { Card } from './Card.tsx'

export function OwnData() {
  const download = useMutation({
    mutationFn: () => call(personalData.ownData, {}),
    onSuccess: savePersonalData,
    onError: (error) => notice.error(getErrorMessage(error)),
  })
  return (
    <Card title="Your data">
      <Text>
        One file (JSON) with everything that is stored about you: your account, settings, sessions, messages, tickets
        and what you did. Passwords and codes are left out.
      </Text>
      <Button
        variant="default"
        h="var(--touch)"
        style={{ alignSelf: 'start' }}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        Download your data
      </Button>
    </Card>
  )
}
