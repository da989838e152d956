import { createTransport, type SendMailOptions } from 'nodemailer'
import { CONCURRENT_MESSAGES, CONCURRENT_TENANTS } from './concurrency.ts'
import { embedImages, type ReadImage } from './embed-images.ts'
import type { MessageTransport, OutgoingMessage, SendResult } from './transport.ts'

interface SmtpFault extends Error {
  code?: string
  responseCode?: number
  command?: string
  timeoutType?: string
}

// The server rejects our sign-in. The next mail would fail too, and the operator can fix it.
const NOT_SIGNED_IN = new Set([530, 534, 535, 538])

const toSendResult = ({ code, responseCode = 0, command, message, timeoutType }: SmtpFault): SendResult => {
  if (timeoutType === 'SOCKET_TIMEOUT') return { kind: 'timed out', reason: message }
  const isAboutThisMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  if (!isAboutThisMail || NOT_SIGNED_IN.has(responseCode)) return { kind: 'unreachable', reason: message }
  // The server rejects our sender address. The mail itself is fine, and the operator can fix the address.
  if (code === 'EENVELOPE' && command === 'MAIL FROM') return { kind: 'deferred', reason: message }
  return { kind: responseCode >= 400 && responseCode < 500 ? 'deferred' : 'refused', reason: message }
}

const buildMail = async (message: OutgoingMessage, readImage: ReadImage): Promise<SendMailOptions> => {
  const { html, attachments: images } = await embedImages(message.html ?? '', readImage)
  const files: { filename: string; content: Buffer }[] = []
  for (const { filename, read } of message.attachments) files.push({ filename, content: await read() })
  const address = message.from.address ?? `no-reply@${message.messageId.replace(/^.*@|>$/g, '')}`
  return {
    from: { name: message.from.name, address },
    to: { name: '', address: message.recipient },
    ...(message.replyTo && { replyTo: { name: '', address: message.replyTo } }),
    envelope: { from: address, to: [message.recipient] },
    subject: message.subject,
    text: message.text,
    ...(message.html && { html }),
    attachments: [...images, ...files],
    messageId: message.messageId,
    headers: { 'Auto-Submitted': 'auto-generated', ...message.listHeaders },
  }
}

/** Timeouts for connecting, including the greeting, and for each response. */
const LIMITS_MS = { connect: 10_000, response: 30_000 }

/** As many as are sent concurrently: a mail must not wait for a connection on which another one hangs. */
const MAX_IN_FLIGHT = CONCURRENT_MESSAGES * CONCURRENT_TENANTS

/** Sends mail through the server of SMTP_URL. */
export const createMailTransport = (smtpUrl: string, readImage: ReadImage, limitsMs = LIMITS_MS): MessageTransport => {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: MAX_IN_FLIGHT,
    connectionTimeout: limitsMs.connect,
    greetingTimeout: limitsMs.connect,
    dnsTimeout: limitsMs.connect,
    socketTimeout: limitsMs.response,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    channel: 'email',
    send: async (message) => {
      const mail = await buildMail(message, readImage)
      try {
        await transport.sendMail(mail)
        return { kind: 'sent' }
      } catch (error) {
        return toSendResult(error as SmtpFault)
      }
    },
    close: () => transport.close(),
  }
}
