import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailBehavior, type MailServer, startMailServer } from '../testing/mail-server.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { type SmsBehavior, startSmsGateway, type TestSmsGateway } from '../testing/sms-gateway.ts'
import { createDelivery } from './deliver.ts'
import { queueMail } from './queue-mail.ts'
import { queueSms } from './queue-sms.ts'
import { createSmsTransport } from './sms-transport.ts'
import { createMailTransport } from './smtp-transport.ts'
import { holdUp, kill, startWorker } from './testing/killable-worker.ts'

const MINUTE_MS = 60_000

let server: TestServer
let mail: MailServer
let gateway: TestSmsGateway
let aheadMs = MINUTE_MS

beforeAll(async () => {
  server = await startTestServer()
  mail = await startMailServer()
  gateway = await startSmsGateway()
  gateway.behavior.now = () => new Date(Date.now() + aheadMs)
})
afterAll(async () => {
  await gateway.close()
  await mail.close()
  await server.close()
})

type Channel = 'email' | 'sms'

const queue = (channel: Channel, words: string) =>
  server.database.transaction({ tenantId: 'a' }, (db) =>
    channel === 'sms'
      ? queueSms(db, 'a', {
          to: '+19075550101',
          text: words,
          notice: null,
          notBefore: new Date(),
          expiresAt: new Date(Date.now() + 86_400_000),
        })
      : queueMail(db, 'a', { to: 'someone@mail.example', subject: words, text: words, html: words }),
  )

/** Messages of a killed worker are claimed again only after their lease has expired. */
const letLeasesEnd = () => {
  aheadMs += 6 * MINUTE_MS
}

const deliverTheRest = async () => {
  const transports = [createMailTransport(mail.url, async () => undefined), createSmsTransport(gateway.settings)]
  const deliveries = transports.map((transport) =>
    createDelivery({
      database: server.database,
      secrets: server.services.secrets,
      transport,
      mailFrom: 'portal@sender.example',
      log: pino({ level: 'silent' }),
      now: () => new Date(Date.now() + aheadMs),
    }),
  )
  let due: (Date | undefined)[]
  let round = 0
  do {
    letLeasesEnd()
    due = await Promise.all(deliveries.map(({ deliverDue }) => deliverDue('a')))
  } while (due.some(Boolean) && round++ < 100)
  for (const transport of transports) transport.close()
}

const arrivals = (channel: Channel) =>
  channel === 'sms' ? gateway.taken.map(({ body }) => body) : mail.mails.map((each) => each.header('Subject') as string)

const countArrivals = (channel: Channel, sent: string[]) => {
  const arrived = arrivals(channel).filter((words) => sent.includes(words))
  return {
    lost: sent.filter((words) => !arrived.includes(words)).length,
    doubled: arrived.length - new Set(arrived).size,
  }
}

/** Kills one worker at a certain point, which the receiving server or a lock in the database detects. */
type KillAt = (channel: Channel) => Promise<void>

const worker = () => startWorker({ server, mail, gateway }, aheadMs)

const onReached = (channel: Channel, act: (moment: string) => Promise<void>) => {
  const other = channel === 'sms' ? gateway : mail
  other.behavior.meanwhile = act
}

const killWhen = (moment: 'connected' | 'taken' | 'looking up'): KillAt => {
  return async (channel) => {
    const child = worker()
    const gone = once(child, 'exit')
    onReached(channel, async (reached) => {
      if (reached === moment) await kill(child)
    })
    await gone
    onReached(channel, async () => {})
  }
}

// The points after a claim come first: their messages stay leased, so that the next worker claims its own message.
const points: Record<string, KillAt> = {
  'when it is connected': killWhen('connected'),
  'when the server has it and has not responded': killWhen('taken'),
  'when it has the response and has not recorded it': async (channel) => {
    let recording: Promise<void> | undefined
    const child = worker()
    const gone = once(child, 'exit')
    onReached(channel, async (reached) => {
      if (reached !== 'taken') return
      const heldUp = await holdUp(server, 'select from messages for update', 'messages')
      recording = heldUp(() => kill(child))
    })
    await gone
    onReached(channel, async () => {})
    await recording
  },
  'while it looks a text up': async (channel) => {
    await killWhen('taken')(channel)
    letLeasesEnd()
    await killWhen('looking up')(channel)
  },
  'while it claims the message': async () => {
    const heldUp = await holdUp(server, 'lock table tenant_settings in access exclusive mode', 'tenant_settings')
    const child = worker()
    await heldUp(() => kill(child))
  },
}

for (const channel of ['email', 'sms'] as const)
  test(`killing a worker at each point of sending by ${channel} loses nothing and doubles no text`, async () => {
    const sent: string[] = []
    for (const [point, killAt] of Object.entries(points)) {
      if (channel === 'email' && point.includes('looks')) continue
      const words = `${channel}: killed ${point}`
      sent.push(words)
      await queue(channel, words)
      await killAt(channel)
    }
    await deliverTheRest()
    for (const words of sent) {
      const { lost, doubled } = countArrivals(channel, [words])
      console.log(`${words}: lost ${lost}, doubled ${doubled}`)
    }
    const { lost, doubled } = countArrivals(channel, sent)
    expect(lost).toBe(0)
    if (channel === 'sms') return expect(doubled).toBe(0)
    // A mail that the server had already accepted is resent with the same id, so mail clients show it once.
    expect(new Set(mail.mails.map((each) => each.header('Message-ID'))).size).toBe(sent.length)
  })

test('killing pairs of workers at any time while both servers misbehave loses nothing', async () => {
  const textActions: SmsBehavior[] = ['takes', 'answers 500', 'takes', 'drops after taking', 'answers 429', 'takes']
  const mailActions: MailBehavior[] = ['takes', 'puts off', 'takes', 'drops after taking', 'drops before taking']
  let turn = 0
  const pickBehavior = <T>(actions: T[], last: T): T => (turn < 60 ? (actions[turn++ % actions.length] as T) : last)
  gateway.behavior.next = () => pickBehavior(textActions, 'takes')
  mail.behavior.next = () => pickBehavior(mailActions, 'takes')
  const words = Array.from({ length: 30 }, (_, number) => `Terminal ${number} is offline.`)
  for (const each of words) for (const channel of ['email', 'sms'] as const) await queue(channel, each)
  for (const liveMs of [20, 100, 300]) {
    const pair = [worker(), worker()]
    const before = arrivals('sms').length + arrivals('email').length
    // Counted from the first delivery, because process startup time varies.
    await expect.poll(() => arrivals('sms').length + arrivals('email').length).toBeGreaterThan(before)
    await pause(liveMs)
    await Promise.all(pair.map(kill))
    letLeasesEnd()
  }
  await deliverTheRest()
  const texts = countArrivals('sms', words)
  const mails = countArrivals('email', words)
  console.log(`texts ${words.length}, lost ${texts.lost}, doubled ${texts.doubled}`)
  console.log(`mails ${words.length}, lost ${mails.lost}, repeated with the same id ${mails.doubled}`)
  expect({ ...texts, mailsLost: mails.lost }).toEqual({ lost: 0, doubled: 0, mailsLost: 0 })
  const ids = mail.mails.filter((each) => words.includes(each.header('Subject') as string))
  expect(new Set(ids.map((each) => each.header('Message-ID'))).size).toBe(words.length)
})
