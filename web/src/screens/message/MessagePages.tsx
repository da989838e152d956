import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { MessagePage } from '../../ui/MessagePage.tsx'

/** Shown instead of a page that threw an error or whose code did not load. */
export function BrokenPage() {
  return (
    <MessagePage scene="snow" title="This page could not be shown." text="Please check your connection and try again.">
      <Button variant="default" onClick={() => location.reload()}>
        Retry
      </Button>
    </MessagePage>
  )
}

function HomeButton() {
  return (
    <Button component={Link} to="/" variant="default">
      Home
    </Button>
  )
}

export function ForbiddenPage() {
  return (
    <MessagePage scene="gate" title="403" text="You don’t have permission to view this page.">
      <HomeButton />
    </MessagePage>
  )
}

export function NotFoundPage() {
  return (
    <MessagePage scene="vessel" title="N O T  F O U N D" text="There is no page at this address.">
      <HomeButton />
    </MessagePage>
  )
}
