import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '#contract/errors.ts'
import { recordAudit } from '../audit/record.ts'
import type { Services } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { parsePhoneNumber } from '../platform/phone-number.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { escapeHtml } from './escape-html.ts'
import { listTenantIds } from './outbox-queries.ts'

const STOP_WORDS = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'])
const START_WORDS = new Set(['START', 'YES', 'UNSTOP'])
const HELP_WORDS = new Set(['HELP', 'INFO'])

/** The gateway signs the URL it called, followed by each field's name and value, sorted by name. */
export const computeSignature = (authToken: string, url: string, fields: Record<string, string>) => {
  const names = Object.keys(fields).sort()
  const signed = url + names.map((name) => `${name}${fields[name]}`).join('')
  return createHmac('sha1', authToken).update(signed, 'utf8').digest('base64')
}

const isSame = (one: string, other: string) => {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}

const wrongSignature = () => new ApiError(403, 'forbidden', 'The signature does not match.')

/** The users of a tenant with this number. */
const listOwners = (db: Db, tenantId: string, phoneNumber: string) =>
  db
    .selectFrom('notification_settings as setting')
    .innerJoin('users as user', (join) =>
      join.onRef('user.tenant_id', '=', 'setting.tenant_id').onRef('user.id', '=', 'setting.user_id'),
    )
    .select('user.email')
    .where('setting.tenant_id', '=', tenantId)
    .where('setting.phone_number', '=', phoneNumber)
    .execute()

const applyKeyword = async (db: Db, tenantId: string, phoneNumber: string, keyword: 'stop' | 'start', now: Date) => {
  const owners = await listOwners(db, tenantId, phoneNumber)
  if (owners.length === 0) return
  const changed =
    keyword === 'stop'
      ? await db
          .insertInto('sms_stops')
          .values({ tenant_id: tenantId, phone_number: phoneNumber, stopped_at: now })
          .onConflict((clash) => clash.doNothing())
          .returning('phone_number')
          .execute()
      : await db
          .deleteFrom('sms_stops')
          .where('tenant_id', '=', tenantId)
          .where('phone_number', '=', phoneNumber)
          .returning('phone_number')
          .execute()
  if (changed.length === 0) return
  await enqueue(db, 'notifications', tenantId)
  for (const { email } of owners)
    await recordAudit(db, tenantId, now, { performer: 'sms', action: `sms.${keyword}`, performee: email })
}

const replies = {
  stop: 'You will get no more messages from us. Reply START to get them again.',
  start: 'You will get messages again. Reply STOP to opt out, HELP for help.',
  help: 'Messages about your terminals, as chosen on your profile. Message and data rates may apply. Reply STOP to opt out.',
}

const parseKeyword = (body: string): keyof typeof replies | undefined => {
  const word = body.trim().toUpperCase()
  if (STOP_WORDS.has(word)) return 'stop'
  if (START_WORDS.has(word)) return 'start'
  return HELP_WORDS.has(word) ? 'help' : undefined
}

const reply = (text: string | undefined) =>
  `<?xml version="1.0" encoding="UTF-8"?><Response>${text === undefined ? '' : `<Message>${escapeHtml(text)}</Message>`}</Response>`

/** The route to which the gateway posts incoming texts. All tenants share one number, so every tenant is checked. */
export const registerSmsWebhook = async (app: FastifyInstance, { config, database, now }: Services) => {
  const gateway = config.sms
  if (!gateway) return
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16_384 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
    )
    // A request without a signature is refused before its body is read.
    scope.addHook('onRequest', async ({ headers }) => {
      if (headers['x-twilio-signature'] === undefined) throw wrongSignature()
    })
    scope.post<{ Body: Record<string, string> | undefined }>('/api/sms-webhook/', async (request, response) => {
      const fields = request.body ?? {}
      const url = `${request.protocol}://${request.host}${request.originalUrl}`
      const given = String(request.headers['x-twilio-signature'])
      if (!isSame(given, computeSignature(gateway.authToken, url, fields))) throw wrongSignature()
      const keyword = parseKeyword(fields.Body ?? '')
      const phoneNumber = parsePhoneNumber(fields.From ?? '')
      if (phoneNumber && keyword && keyword !== 'help')
        for (const tenantId of await listTenantIds(database))
          await database.transaction({ tenantId }, (db) => applyKeyword(db, tenantId, phoneNumber, keyword, now()))
      // If the gateway handles these keywords itself, it sets this field and has already replied.
      const text = keyword && fields.OptOutType === undefined ? replies[keyword] : undefined
      return response.type('text/xml; charset=utf-8').send(reply(text))
    })
  })
}
