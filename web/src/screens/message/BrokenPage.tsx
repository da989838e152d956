import { Button } from '@mantine/core'
import { MessagePage } from '../../ui/MessagePage.tsx'

/** Shown instead of a page that threw an error or whose code did not load. */
export function BrokenPage() {
  return (
    <MessagePage title="This page could not be shown." text="Please check your connection and try again.">
      <Button variant="default" onClick={() => location.reload()}>
        Retry
      </Button>
    </MessagePage>
  )
}
