import { Button, Modal, Text, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { support, Ticket } from '#contract/support.ts'
import { call, messageOf } from '../../api.ts'
import { useSession } from '../../session.ts'
import { notice } from '../../ui/notice.ts'
import classes from './Ticket.module.css'

interface TicketDialogProps {
  opened: boolean
  onClose: () => void
  /** What the person has already said elsewhere. */
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
  const person = session.state === 'signed in' ? session.person : undefined
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
      notice.good('Ticket submitted!')
      onSent()
    } catch (error) {
      notice.bad('Error sending ticket')
      setProblem(messageOf(error))
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
        defaultValue={person?.email}
        data-autofocus={person ? undefined : true}
      />
      <TextInput
        {...field('name')}
        {...input}
        label="Full Name"
        autoComplete="name"
        defaultValue={person?.customerName}
      />
      <Textarea
        {...field('message')}
        label="Description"
        rows={5}
        maxLength={10_000}
        defaultValue={message}
        data-autofocus={person ? true : undefined}
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
