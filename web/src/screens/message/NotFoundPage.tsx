import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { MessagePage } from '../../ui/MessagePage.tsx'

export function NotFoundPage() {
  return (
    <MessagePage title="N O T  F O U N D" text="There is no page at this address.">
      <Button component={Link} to="/" variant="default">
        Home
      </Button>
    </MessagePage>
  )
}
