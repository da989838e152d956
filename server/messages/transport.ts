/** A file attached to a mail. Its content is created when the mail is sent. */
export interface Attachment {
  filename: string
  read: () => Promise<Buffer>
}

/** A message as it is stored, with its sender. */
export interface OutgoingMessage {
  id: string
  channel: 'email' | 'sms'
  recipient: string
  replyTo: string | null
  subject: string
  text: string
  html: string | null
  messageId: string
  /** For mails that the recipient can turn off. */
  listHeaders: Record<string, string>
  attachments: readonly Attachment[]
  from: { name: string; address: string | undefined }
  /** When the previous attempt started. */
  attemptedAt: Date | null
}

/** The outcome of one attempt. */
export type SendResult =
  | { kind: 'sent'; gatewayId?: string }
  /** It will never be accepted. */
  | { kind: 'refused'; reason: string }
  /** This message was deferred; others may be sent. */
  | { kind: 'deferred'; reason: string }
  /** The server was reached and then did not respond, perhaps only for this message. It may have been accepted. */
  | { kind: 'timed out'; reason: string }
  /** Nothing can be sent at the moment. */
  | { kind: 'unreachable'; reason: string }
  /** It may or may not have been accepted. */
  | { kind: 'unknown'; reason: string }

/** What the gateway knows about a message with an unknown outcome. */
export type LookupResult =
  | { kind: 'sent'; gatewayId?: string }
  | { kind: 'not found' }
  | { kind: 'not supported'; reason: string }
  | { kind: 'retry later'; reason: string }

/** Sends the messages of one channel. */
export interface MessageTransport {
  channel: OutgoingMessage['channel']
  send: (message: OutgoingMessage) => Promise<SendResult>
  /** Called before a message with an unknown outcome is resent, on channels where it must not arrive twice. */
  lookUp?: (message: OutgoingMessage) => Promise<LookupResult>
  close: () => void
}
