import { Button } from '@mantine/core'
import { MessagePage } from '../../ui/MessagePage.tsx'

/** In place of a page that broke, or whose code did not arrive. */
export function BrokenPage() {
  return (
    <MessagePage title="This page could not be shown." text="Please check your connection and try again.">
      <Button variant="default" onClick={() => location.reload()}>
        Retry
      </Button>
    </MessagePage>
  )
}
