import { ActionIcon, Button, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type AssistantAnswer, support } from '#contract/support.ts'
import { call, getErrorMessage } from '../../api.ts'
import { TicketDialog } from '../../parts/ticket/TicketDialog.tsx'
import { ChatIcon, SendIcon } from '../../ui/icons.tsx'
import classes from './Assistant.module.css'

type Line = { id: number; question: string } & ({ answer?: AssistantAnswer } | { problem: string })

/** Answers questions from the reseller's FAQ and from the user's terminals; it never guesses. */
export function Assistant() {
  const [lines, setLines] = useState<Line[]>([])
  const [asking, setAsking] = useState(false)
  const [ticketOpened, ticket] = useDisclosure(false)
  const end = useRef<HTMLDivElement>(null)
  const lastQuestion = lines.at(-1)?.question

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new line moves the talk to its end
  useEffect(() => {
    const talk = end.current
    if (talk) talk.scrollTop = talk.scrollHeight
  }, [lines])

  const ask = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const question = String(new FormData(form).get('question')).trim()
    if (!question || asking) return
    const id = Date.now()
    setAsking(true)
    setLines((before) => [...before, { id, question }])
    form.reset()
    const result = await call(support.askAssistant, { question }).then(
      (answer) => ({ answer }),
      (error) => ({ problem: getErrorMessage(error) }),
    )
    setLines((before) => before.map((line) => (line.id === id ? { id, question, ...result } : line)))
    setAsking(false)
  }

  return (
    <section className={classes.panel} aria-label="Assistant">
      <h2 className={classes.title}>
        <ChatIcon /> Ask the assistant
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard */}
      <div className={classes.talk} ref={end} role="log" aria-label="Conversation" tabIndex={0}>
        <p className={classes.said}>
          Ask about our service, or about a terminal of yours, for example ‘Is KIT00000001 online?’
        </p>
        {lines.map((line) => (
          <div key={line.id} className={classes.exchange}>
            <p className={classes.asked}>{line.question}</p>
            <Reply line={line} onTicket={ticket.open} />
          </div>
        ))}
      </div>
      <form onSubmit={ask} className={classes.form}>
        <TextInput
          name="question"
          aria-label="Your question"
          placeholder="Your question"
          maxLength={500}
          autoComplete="off"
          classNames={{ root: classes.field, input: classes.input }}
        />
        <ActionIcon type="submit" size="var(--touch)" aria-label="Ask" loading={asking}>
          <SendIcon />
        </ActionIcon>
      </form>
      <TicketDialog opened={ticketOpened} onClose={ticket.close} message={lastQuestion} />
    </section>
  )
}

function Reply({ line, onTicket }: { line: Line; onTicket: () => void }) {
  if ('problem' in line) return <p className={classes.said}>{line.problem}</p>
  if (!line.answer) return <p className={classes.said}>…</p>
  const { answer, terminals, offersTicket } = line.answer
  return (
    <div className={classes.said}>
      <p>{answer}</p>
      {terminals.map(({ nickname, customname }) => (
        <Link key={nickname} to="/terminal/$kitnumber" params={{ kitnumber: nickname }} className={classes.terminal}>
          {customname || nickname}
        </Link>
      ))}
      {offersTicket && (
        <Button variant="default" h="var(--touch)" onClick={onTicket}>
          Open Ticket
        </Button>
      )}
    </div>
  )
}
