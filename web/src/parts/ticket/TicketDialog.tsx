import { Button, Modal, Text, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { support, Ticket } from '#contract/support.ts'
import { call, getErrorMessage } from '../../api.ts'
import { useSession } from '../../session.ts'
import { notice } from '../../ui/notice.ts'
import classes from './Ticket.module.css'

interface TicketDialogProps {
  opened: boolean
  onClose: () => void
  /** What the user has already written elsewhere. */
  message?: string
}

type Errors = Partial<Record<keyof Ticket, string>>

function check(fields: unknown): { ticket?: Ticket; errors: Errors } {
  const parsed = Ticket.safeParse(fields)
  if (parsed.success) return { ticket: parsed.data, errors: {} }
  const found = parsed.error.issues.map(({ path, message }) => [path[0], message])
  return { errors: Object.fromEntries(found.reverse()) }
}

export function TicketDialog({ opened, onClose, message }: TicketDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Create Ticket" centered>
      <TicketForm onSent={onClose} message={message} />
    </Modal>
  )
}

function TicketForm({ onSent, message }: { onSent: () => void; message: string | undefined }) {
  const session = useSession()
  const user = session.state === 'signed in' ? session.user : undefined
  const [errors, setErrors] = useState<Errors>({})
  const [problem, setProblem] = useState<string>()
  const [pending, setPending] = useState(false)
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const { ticket, errors: found } = check(Object.fromEntries(new FormData(form)))
    setErrors(found)
    setProblem(undefined)
    if (!ticket) {
      const first = ['email', 'name', 'message'].find((name) => name in found) as string
      return (form.elements.namedItem(first) as HTMLElement).focus()
    }
    setPending(true)
    try {
      await call(support.createTicket, ticket)
      notice.success('Ticket submitted!')
      onSent()
    } catch (error) {
      notice.error('Error sending ticket')
      setProblem(getErrorMessage(error))
      setPending(false)
    }
  }
  const field = (name: keyof Ticket) => ({ name, error: errors[name], required: true, withAsterisk: false, mb: 'sm' })
  const input = { classNames: { input: classes.input } }
  return (
    <form onSubmit={send} noValidate>
      <TextInput
        {...field('email')}
        {...input}
        type="email"
        label="Email"
        autoComplete="email"
        defaultValue={user?.email}
        data-autofocus={user ? undefined : true}
      />
      <TextInput
        {...field('name')}
        {...input}
        label="Full Name"
        autoComplete="name"
        defaultValue={user?.customerName}
      />
      <Textarea
        {...field('message')}
        label="Description"
        rows={5}
        maxLength={10_000}
        defaultValue={message}
        data-autofocus={user ? true : undefined}
      />
      <Text role="alert" className={classes.problem}>
        {problem}
      </Text>
      <Button type="submit" fullWidth h="var(--touch)" loading={pending}>
        Send
      </Button>
    </form>
  )
}
