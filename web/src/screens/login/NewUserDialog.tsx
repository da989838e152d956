import { Button, Group, Modal, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'

/** New people choose a password of their own: whichever way they close this, they go to their profile. */
export function NewUserDialog({ opened }: { opened: boolean }) {
  const navigate = useNavigate()
  const goOn = () => void navigate({ to: '/profile' as string })
  return (
    <Modal opened={opened} onClose={goOn} title="Welcome" closeButtonProps={{ 'aria-label': 'Close' }} centered>
      <Text>You should reset your password for security.</Text>
      <Group justify="flex-end" mt="lg">
        <Button onClick={goOn} h="var(--touch)" data-autofocus>
          Go to Profile
        </Button>
      </Group>
    </Modal>
  )
}
