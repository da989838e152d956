import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Courier, OutgoingMessage, Verdict } from './courier.ts'
import { embedImages, type ReadImage } from './embed-images.ts'

interface SmtpFault extends Error {
  code?: string
  responseCode?: number
}

// The server does not trust us (yet): the next mail would fare no better, and the operator can mend it.
const NOT_SIGNED_IN = new Set([530, 534, 535, 538])

const verdictOf = ({ code, responseCode = 0, message }: SmtpFault): Verdict => {
  const isAboutThisMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  if (!isAboutThisMail || NOT_SIGNED_IN.has(responseCode)) return { kind: 'out of reach', reason: message }
  return { kind: responseCode >= 400 && responseCode < 500 ? 'deferred' : 'refused', reason: message }
}

const mailOf = async (message: OutgoingMessage, readImage: ReadImage): Promise<SendMailOptions> => {
  const { html, attachments } = await embedImages(message.html ?? '', readImage)
  const address = message.from.address ?? `no-reply@${message.messageId.replace(/^.*@|>$/g, '')}`
  return {
    from: { name: message.from.name, address },
    to: { name: '', address: message.recipient },
    ...(message.replyTo && { replyTo: { name: '', address: message.replyTo } }),
    envelope: { from: address, to: [message.recipient] },
    subject: message.subject,
    text: message.text,
    ...(message.html && { html, attachments }),
    messageId: message.messageId,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

/** Carries mail to the server of SMTP_URL. */
export const createMailCourier = (smtpUrl: string, readImage: ReadImage): Courier => {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 3,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    dnsTimeout: 10_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    channel: 'email',
    carry: async (message) => {
      try {
        await transport.sendMail(await mailOf(message, readImage))
        return { kind: 'sent' }
      } catch (error) {
        return verdictOf(error as SmtpFault)
      }
    },
    close: () => transport.close(),
  }
}
