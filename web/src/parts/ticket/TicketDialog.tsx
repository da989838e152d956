import { Button, Text, Textarea, TextInput } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { support, Ticket } from '#contract/support.ts'
import { call, getErrorMessage } from '../../api.ts'
import { useSession } from '../../session.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { type FormErrors, focusFirstError, listErrors } from '../../ui/form-errors.ts'
import { notice } from '../../ui/notice.ts'
import classes from './Ticket.module.css'
import { withNewest } from './with-newest.ts'

interface TicketDialogProps {
  opened: boolean
  onClose: () => void
  /** Text that the user has already entered elsewhere. */
  message?: string | undefined
  /** The preceding conversation with the assistant. */
  conversation?: NonNullable<Ticket['conversation']>
}

type FieldName = 'email' | 'name' | 'message'

/** Where the ticket is opened, so that support sees what the user sees. */
function useOrigin() {
  const { kitnumber } = useParams({ strict: false })
  // As the browser encodes it; the router's path may contain spaces.
  return { page: location.pathname, ...(kitnumber && { terminal: kitnumber }) }
}

function validate(fields: unknown): { ticket?: Ticket; errors: FormErrors } {
  const parsed = Ticket.safeParse(fields)
  if (parsed.success) return { ticket: parsed.data, errors: {} }
  return { errors: listErrors(parsed.error.issues) }
}

const listAttachments = (terminal: string | undefined, questions: number) => {
  const attached = [
    'this page',
    ...(terminal ? [`the terminal ${terminal}`] : []),
    ...(questions > 0 ? ['your conversation with the assistant'] : []),
  ]
  return `Sent along: ${attached.join(', ')}.`
}

export function TicketDialog({ opened, onClose, message, conversation = [] }: TicketDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Create Ticket" centered>
      <TicketForm onSent={onClose} message={message} conversation={conversation} />
    </Dialog>
  )
}

interface TicketFormProps {
  onSent: () => void
  message: string | undefined
  conversation: NonNullable<Ticket['conversation']>
}

function TicketForm({ onSent, message, conversation }: TicketFormProps) {
  const origin = useOrigin()
  const session = useSession()
  const user = session.state === 'signed in' ? session.user : undefined
  const [errors, setErrors] = useState<FormErrors>({})
  const [problem, setProblem] = useState<string>()
  const [pending, setPending] = useState(false)
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = { ...Object.fromEntries(new FormData(form)), ...origin }
    const { ticket, errors: found } = validate(user ? { ...fields, conversation } : withNewest(fields, conversation))
    setErrors(found)
    setProblem(undefined)
    if (!ticket) return focusFirstError(form, found)
    setPending(true)
    try {
      const { number } = await call(support.createTicket, ticket)
      notice.success('Ticket submitted!', `Your ticket is number ${number}.`)
      onSent()
    } catch (error) {
      notice.error('Error sending ticket')
      setProblem(getErrorMessage(error))
      setPending(false)
    }
  }
  const field = (name: FieldName) => ({ name, error: errors[name], required: true, withAsterisk: false, mb: 'sm' })
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
      <Text className={classes.attached}>{listAttachments(origin.terminal, conversation.length)}</Text>
      <Text role="alert" className={classes.problem}>
        {problem}
      </Text>
      <Button type="submit" fullWidth h="var(--touch)" loading={pending}>
        Send
      </Button>
    </form>
  )
}
