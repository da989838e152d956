import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  to: string[]
  raw: string
  header: (name: string) => string | undefined
  /** The decoded part with a MIME type. */
  part: (type: string) => string | undefined
}

const decodeBody = (encoding: string, body: string) => {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString('utf8')
  if (!/quoted-printable/i.test(encoding)) return body
  const joined = body.replace(/=\r\n/g, '')
  return Buffer.from(
    joined.replace(/=([\dA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
}

const readHeaders = (text: string) => text.slice(0, text.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')

const readHeader = (text: string, name: string) =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(readHeaders(text))?.[1]?.trim()

const readPart = (raw: string, type: string) => {
  const boundaries = [...raw.matchAll(/boundary="?([^"\r\n;]+)/g)].map((match) => `--${match[1]}`)
  const parts =
    boundaries.length === 0 ? [raw] : boundaries.reduce((all, each) => all.flatMap((part) => part.split(each)), [raw])
  const found = parts
    .map((part) => part.replace(/^\r\n/, ''))
    .find((part) => readHeader(part, 'Content-Type')?.startsWith(type))
  if (found === undefined) return undefined
  const body = found.slice(found.indexOf('\r\n\r\n') + 4)
  return decodeBody(readHeader(found, 'Content-Transfer-Encoding') ?? '', body)
}

const refusal = (responseCode: number) => Object.assign(new Error('not taken'), { responseCode })

/** How the server handles a mail that it has received. */
export type MailBehavior = 'takes' | 'puts off' | 'hangs after taking' | 'drops before taking' | 'drops after taking'

/** A real mail server on loopback with the behavior that the test sets. */
export const startMailServer = async (port = 0) => {
  const mails: ReceivedMail[] = []
  const behavior = {
    greets: true,
    senderCode: undefined as number | undefined,
    recipientCode: (_: string): number | undefined => undefined,
    next: (_recipient: string): MailBehavior => 'takes',
    /** Runs when a connection has reached this step, before the response. */
    meanwhile: async (_: 'connected' | 'taken') => {},
  }
  const server = new SMTPServer({
    authOptional: true,
    // Reverse lookups of loopback addresses can exceed the greeting timeout, and are not needed.
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onConnect: async (_session, done) => {
      await behavior.meanwhile('connected')
      if (behavior.greets) done()
    },
    onMailFrom: (_address, _session, done) =>
      done(behavior.senderCode === undefined ? null : refusal(behavior.senderCode)),
    onRcptTo: ({ address }, _session, done) => {
      const code = behavior.recipientCode(address)
      done(code === undefined ? null : refusal(code))
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const action = behavior.next(session.envelope.rcptTo[0]?.address ?? '')
        const hangUp = () => {
          for (const connection of server.connections) if (connection.id === session.id) connection.close()
        }
        if (action === 'puts off') return done(refusal(451))
        if (action === 'drops before taking') return hangUp()
        const raw = Buffer.concat(chunks).toString('utf8')
        mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw,
          header: (name) => readHeader(raw, name),
          part: (type) => readPart(raw, type),
        })
        await behavior.meanwhile('taken')
        if (action === 'drops after taking') hangUp()
        if (action === 'takes') done()
      })
    },
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const { port: chosen } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${chosen}`,
    port: chosen,
    mails,
    behavior,
    close: () =>
      new Promise<void>((resolve) => {
        // Hung connections would delay the close.
        for (const connection of server.connections) connection.close()
        server.close(() => resolve())
      }),
  }
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>
