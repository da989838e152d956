import type { FastifyInstance } from 'fastify'
import { invalid } from '#contract/errors.ts'
import { isFromUser } from './request-log.ts'

// More than any visitor form has. Objects with thousands of keys are slow to build, to validate and to report.
const MAX_VISITOR_NAMES = 300

const [QUOTE, BACKSLASH, COLON] = [...'"\\:'].map((sign) => sign.charCodeAt(0))

/** The total number of object keys in a JSON text. */
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

/** Parses bodies as Fastify does, but refuses expensive bodies from visitors before building any object. */
export const registerJsonBodies = (app: FastifyInstance) => {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (!isFromUser(request) && countNames(text) > MAX_VISITOR_NAMES)
      return done(invalid('The body has too many fields.'))
    return parse(request, text, done)
  })
}
