import { ActionIcon, Button, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { getOwnTimeZone } from '#contract/format/times.ts'
import { type AssistantAnswer, suggestedQuestions, support } from '#contract/support.ts'
import { call, getErrorMessage } from '../../api.ts'
import { TicketDialog } from '../../parts/ticket/TicketDialog.tsx'
import { useSession } from '../../session.ts'
import { ChatIcon, SendIcon } from '../../ui/icons.tsx'
import classes from './Assistant.module.css'

type Line = { id: number; question: string } & ({ answer?: AssistantAnswer } | { problem: string })

const conversationMax = 20
const answerMax = 5_000

/** The exchanges to include in a ticket. */
const toConversation = (lines: readonly Line[]) =>
  lines.slice(-conversationMax).map((line) => ({
    question: line.question,
    answer: ('problem' in line ? line.problem : (line.answer?.answer ?? '')).slice(0, answerMax),
  }))

/** Answers questions from the reseller's FAQ and from the user's terminals and pools; it never guesses. */
export function Assistant() {
  const [lines, setLines] = useState<Line[]>([])
  const [isPending, setPending] = useState(false)
  const [ticketOpened, ticket] = useDisclosure(false)
  const isSignedIn = useSession().state === 'signed in'
  const end = useRef<HTMLDivElement>(null)
  const lastQuestion = lines.at(-1)?.question

  useEffect(() => {
    if (lines.length > 0) end.current?.lastElementChild?.scrollIntoView({ block: 'nearest' })
  }, [lines])

  const ask = async (question: string) => {
    const id = Date.now()
    setPending(true)
    setLines((before) => [...before, { id, question }])
    const timeZone = getOwnTimeZone()
    const result = await call(support.askAssistant, { question, timeZone }).then(
      (answer) => ({ answer }),
      (error) => ({ problem: getErrorMessage(error) }),
    )
    setLines((before) => before.map((line) => (line.id === id ? { id, question, ...result } : line)))
    setPending(false)
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const question = String(new FormData(form).get('question')).trim()
    if (!question || isPending) return
    form.reset()
    void ask(question)
  }

  return (
    <section className={classes.panel} aria-label="Assistant">
      <h2 className={classes.title}>
        <ChatIcon /> Ask the assistant
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard */}
      <div className={classes.talk} ref={end} role="log" aria-label="Conversation" tabIndex={0}>
        <p className={classes.said}>
          {isSignedIn
            ? 'Ask about your terminals, your data, or how something is done.'
            : 'Ask about our service. Once you have signed in, I can also look at your terminals and data.'}
        </p>
        {lines.map((line) => (
          <div key={line.id} className={classes.exchange}>
            <p className={classes.asked}>{line.question}</p>
            <Reply line={line} onTicket={ticket.open} />
          </div>
        ))}
      </div>
      <ul className={classes.suggestions} aria-label="Suggested questions">
        {suggestedQuestions[isSignedIn ? 'user' : 'visitor'].map((question) => (
          <li key={question}>
            <Button
              variant="default"
              size="compact-sm"
              radius="xl"
              mih={28}
              disabled={isPending}
              onClick={() => void ask(question)}
            >
              {question}
            </Button>
          </li>
        ))}
      </ul>
      <form onSubmit={submit} className={classes.form}>
        <TextInput
          name="question"
          aria-label="Your question"
          placeholder="Your question"
          maxLength={500}
          autoComplete="off"
          classNames={{ root: classes.field, input: classes.input }}
        />
        <ActionIcon type="submit" size="var(--touch)" aria-label="Ask" loading={isPending}>
          <SendIcon />
        </ActionIcon>
      </form>
      <TicketDialog
        opened={ticketOpened}
        onClose={ticket.close}
        message={lastQuestion}
        conversation={toConversation(lines)}
      />
    </section>
  )
}

function Reply({ line, onTicket }: { line: Line; onTicket: () => void }) {
  if ('problem' in line) return <p className={classes.said}>{line.problem}</p>
  if (!line.answer) return <p className={classes.said}>…</p>
  const { answer, terminals, links, offersTicket } = line.answer
  return (
    <div className={classes.said}>
      <p>{answer}</p>
      {(terminals.length > 0 || links.length > 0) && (
        <ul className={classes.links}>
          {terminals.map(({ nickname, customname }, index) => (
            // One line may have several terminals of one name.
            // biome-ignore lint/suspicious/noArrayIndexKey: the list of an answer never changes
            <li key={`${nickname} ${index}`}>
              <Link to="/terminal/$kitnumber" params={{ kitnumber: nickname }} className={classes.link}>
                {customname || nickname}
              </Link>
            </li>
          ))}
          {links.map(({ text, page, status }) => (
            <li key={text}>
              <Link to={page} search={status && { status }} className={classes.link}>
                {text}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {offersTicket && (
        <Button variant="default" h="var(--touch)" onClick={onTicket}>
          Open Ticket
        </Button>
      )}
    </div>
  )
}
