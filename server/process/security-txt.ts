import type { FastifyInstance } from 'fastify'
import type { Services } from '../platform/context.ts'

const VALID_DAYS = 180

/** Where to report vulnerabilities (RFC 9116), if the operator has set a contact. */
export const registerSecurityTxt = (app: FastifyInstance, { config, now }: Services) => {
  const contact = config.securityContact
  if (contact === undefined) return
  app.get('/.well-known/security.txt', async (_request, reply) => {
    const expires = new Date(now())
    expires.setUTCDate(expires.getUTCDate() + VALID_DAYS)
    expires.setUTCHours(0, 0, 0, 0)
    return reply
      .type('text/plain; charset=utf-8')
      .send(`Contact: ${contact}\nExpires: ${expires.toISOString()}\nPreferred-Languages: en\n`)
  })
}
