/** A message as its row has it, with who it is from. */
export interface OutgoingMessage {
  id: string
  channel: 'email' | 'sms'
  recipient: string
  replyTo: string | null
  subject: string
  text: string
  html: string | null
  messageId: string
  from: { name: string; address: string | undefined }
}

/** What became of one attempt. */
export type Verdict =
  | { kind: 'sent' }
  /** It will never be taken. */
  | { kind: 'refused'; reason: string }
  /** This message was put off; others may go. */
  | { kind: 'deferred'; reason: string }
  /** Nothing can be sent now. */
  | { kind: 'out of reach'; reason: string }

/** Carries messages of one channel to the outside. */
export interface Courier {
  channel: OutgoingMessage['channel']
  carry: (message: OutgoingMessage) => Promise<Verdict>
  close: () => void
}
