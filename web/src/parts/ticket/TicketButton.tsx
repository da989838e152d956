import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { TicketIcon } from '../../ui/icons.tsx'
import classes from './Ticket.module.css'
import { TicketDialog } from './TicketDialog.tsx'

export function TicketButton() {
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button className={classes.button} data-floating onClick={open} leftSection={<TicketIcon />} radius="xl" h={44}>
        Open Ticket
      </Button>
      <TicketDialog opened={opened} onClose={close} />
    </>
  )
}
