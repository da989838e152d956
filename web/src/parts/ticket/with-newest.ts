import { support, type Ticket } from '#contract/support.ts'

const countBytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

/** A ticket with the newest exchanges, as many as a visitor may send. */
export const withNewest = <Fields extends object>(
  fields: Fields,
  conversation: NonNullable<Ticket['conversation']>,
  maxBytes = support.createTicket.maxVisitorBodyBytes as number,
): Fields & Pick<Ticket, 'conversation'> => {
  const first = conversation.findIndex(
    (_, from) => countBytes({ ...fields, conversation: conversation.slice(from) }) <= maxBytes,
  )
  return { ...fields, conversation: first === -1 ? [] : conversation.slice(first) }
}
