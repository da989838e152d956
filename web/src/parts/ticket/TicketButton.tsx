import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy } from 'react'
import { TicketIcon } from '../../ui/icons.tsx'
import { WhenOpened } from '../../ui/WhenOpened.tsx'
import classes from './Ticket.module.css'

const TicketDialog = lazy(() => import('./TicketDialog.tsx').then((it) => ({ default: it.TicketDialog })))

export function TicketButton() {
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button className={classes.button} data-floating onClick={open} leftSection={<TicketIcon />} radius="xl" h={44}>
        Open Ticket
      </Button>
      <WhenOpened opened={opened}>
        <TicketDialog opened={opened} onClose={close} />
      </WhenOpened>
    </>
  )
}
