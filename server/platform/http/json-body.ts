import type { FastifyInstance } from 'fastify'
import { invalid } from '#contract/errors.ts'
import { isFromUser } from './request-log.ts'

// More than any form of a visitor has. Objects with thousands of names take long to build, to check and to report.
const MAX_VISITOR_NAMES = 300

const [QUOTE, BACKSLASH, COLON] = [...'"\\:'].map((sign) => sign.charCodeAt(0))

/** How many names the objects of a JSON text have, all together. */
export const countNames = (text: string) => {
  let count = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) isInString = !isInString
    else if (isInString && code === BACKSLASH) at++
    else if (!isInString && code === COLON) count++
  }
  return count
}

/** Reads bodies as Fastify does, but refuses those of visitors that are expensive before anything is built. */
export const registerJsonBodies = (app: FastifyInstance) => {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (!isFromUser(request) && countNames(text) > MAX_VISITOR_NAMES) return done(invalid('These are too many fields.'))
    return parse(request, text, done)
  })
}
