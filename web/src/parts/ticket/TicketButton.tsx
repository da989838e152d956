import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy } from 'react'
import { TicketIcon } from '../../ui/icons.tsx'
import { WhenOpened } from '../../ui/WhenOpened.tsx'
import classes from './Ticket.module.css'

const TicketDialog = lazy(() => import('./TicketDialog.tsx').then((it) => ({ default: it.TicketDialog })))

/** In the navbar, because a floating button would always cover something. */
export function TicketButton() {
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button
        variant="default"
        h="var(--touch)"
        classNames={{ root: classes.button, section: classes.icon, label: classes.label }}
        leftSection={<TicketIcon />}
        onClick={open}
      >
        Open Ticket
      </Button>
      <WhenOpened opened={opened}>
        <TicketDialog opened={opened} onClose={close} />
      </WhenOpened>
    </>
  )
}
