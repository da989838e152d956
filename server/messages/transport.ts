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
  /** When the attempt before this one began. */
  attemptedAt: Date | null
}

/** What became of one attempt. */
export type SendResult =
  | { kind: 'sent'; gatewayId?: string }
  /** It will never be taken. */
  | { kind: 'refused'; reason: string }
  /** This message was put off; others may go. */
  | { kind: 'deferred'; reason: string }
  /** Nothing can be sent now. */
  | { kind: 'unreachable'; reason: string }
  /** It may have been taken or not. */
  | { kind: 'unknown'; reason: string }

/** What the other side says became of a message whose fate we do not know. */
export type LookupResult =
  | { kind: 'sent'; gatewayId?: string }
  | { kind: 'not found' }
  | { kind: 'not supported'; reason: string }
  | { kind: 'retry later'; reason: string }

/** Carries messages of one channel to the outside. */
export interface MessageTransport {
  channel: OutgoingMessage['channel']
  send: (message: OutgoingMessage) => Promise<SendResult>
  /** Where a message must not arrive twice: asked before one whose fate is unknown may be sent again. */
  lookUp?: (message: OutgoingMessage) => Promise<LookupResult>
  close: () => void
}
