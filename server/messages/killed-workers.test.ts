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
  gateway.moods.now = () => new Date(Date.now() + aheadMs)
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

/** What a killed worker held is free again only when its attempt must be over. */
const letLeasesEnd = () => {
  aheadMs += 6 * MINUTE_MS
}

const deliverTheRest = async () => {
  const transports = [createMailTransport(mail.url, async () => undefined), createSmsTransport(gateway.settings)]
  const deliveries = transports.map((transport) =>
    createDelivery({
      database: server.database,
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

/** Kills one worker when it has come to a point, which the other side or a lock in the database tells. */
type KillAt = (channel: Channel) => Promise<void>

const worker = () => startWorker({ server, mail, gateway }, aheadMs)

const onReached = (channel: Channel, act: (moment: string) => Promise<void>) => {
  const other = channel === 'sms' ? gateway : mail
  other.moods.meanwhile = act
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

// Those first that leave the message to nobody until its attempt must be over, so that each kills its own.
const points: Record<string, KillAt> = {
  'when it is connected': killWhen('connected'),
  'when the other side has it and has not answered': killWhen('taken'),
  'when it has the answer and has not noted it': async (channel) => {
    let noting: Promise<void> | undefined
    const child = worker()
    const gone = once(child, 'exit')
    onReached(channel, async (reached) => {
      if (reached !== 'taken') return
      const heldUp = await holdUp(server, 'select from messages for update', 'messages')
      noting = heldUp(() => kill(child))
    })
    await gone
    onReached(channel, async () => {})
    await noting
  },
  'while it looks a text up': async (channel) => {
    await killWhen('taken')(channel)
    letLeasesEnd()
    await killWhen('looking up')(channel)
  },
  'while it takes the message': async () => {
    const heldUp = await holdUp(server, 'lock table tenant_settings in access exclusive mode', 'tenant_settings')
    const child = worker()
    await heldUp(() => kill(child))
  },
}

for (const channel of ['email', 'sms'] as const)
  test(`a worker is killed at each point of sending by ${channel}: nothing is lost, and no text doubled`, async () => {
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
    // A mail that the server had taken comes again, and is the same mail to whoever reads it.
    expect(new Set(mail.mails.map((each) => each.header('Message-ID'))).size).toBe(sent.length)
  })

test('workers in pairs are killed at any moment while both other sides misbehave', async () => {
  const textMoods: SmsBehavior[] = ['takes', 'answers 500', 'takes', 'drops after taking', 'answers 429', 'takes']
  const mailMoods: MailBehavior[] = ['takes', 'puts off', 'takes', 'drops after taking', 'drops before taking']
  let turn = 0
  const pickBehavior = <T>(moods: T[], last: T): T => (turn < 60 ? (moods[turn++ % moods.length] as T) : last)
  gateway.moods.next = () => pickBehavior(textMoods, 'takes')
  mail.moods.next = () => pickBehavior(mailMoods, 'takes')
  const words = Array.from({ length: 30 }, (_, number) => `Terminal ${number} is offline.`)
  for (const each of words) for (const channel of ['email', 'sms'] as const) await queue(channel, each)
  for (const liveMs of [20, 100, 300]) {
    const pair = [worker(), worker()]
    const before = arrivals('sms').length + arrivals('email').length
    // Counted from when they work: how long a process takes to start says nothing.
    await expect.poll(() => arrivals('sms').length + arrivals('email').length).toBeGreaterThan(before)
    await pause(liveMs)
    await Promise.all(pair.map(kill))
    letLeasesEnd()
  }
  await deliverTheRest()
  const texts = countArrivals('sms', words)
  const mails = countArrivals('email', words)
  console.log(`texts ${words.length}, lost ${texts.lost}, doubled ${texts.doubled}`)
  console.log(`mails ${words.length}, lost ${mails.lost}, again under the same id ${mails.doubled}`)
  expect({ ...texts, mailsLost: mails.lost }).toEqual({ lost: 0, doubled: 0, mailsLost: 0 })
  const ids = mail.mails.filter((each) => words.includes(each.header('Subject') as string))
  expect(new Set(ids.map((each) => each.header('Message-ID'))).size).toBe(words.length)
})
