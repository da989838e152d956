import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { MessagePage } from '../../ui/MessagePage.tsx'

export function ForbiddenPage() {
  return (
    <MessagePage title="403" text="You don’t have permission to view this page.">
      <Button component={Link} to="/" variant="default">
        Home
      </Button>
    </MessagePage>
  )
}
