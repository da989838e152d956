import * as z from 'zod/mini'
import { text } from './text.ts'

export const phoneMessage = 'Please enter a valid 10-digit US phone number (e.g., (123) 456-7890 or 123-456-7890).'
export const internationalPhoneMessage =
  'Please enter a valid phone number with its country code (e.g., +44 7911 123456).'

const NATIONAL = /^(\(\d{3}\) ?\d{3}-\d{4}|\d{3}-\d{3}-\d{4}|\d{10})$/
// A lenient check. Validating the numbers that a country issues needs tables that are too large for the browser.
const INTERNATIONAL = /^\+[1-9]([ ().-]{0,2}\d){6,15}$/

export const getPhoneMessage = (typed: unknown) =>
  typeof typed === 'string' && typed.trim().startsWith('+') ? internationalPhoneMessage : phoneMessage

/**
 * A number of the +1 countries is ten digits on the wire, typed in one of three ways. Any other starts with + and its
 * country code. Decoded, both are + and digits.
 */
export const PhoneNumber = z.codec(
  text(40).check(
    z.trim(),
    z.regex(new RegExp(`${NATIONAL.source}|${INTERNATIONAL.source}`), { error: ({ input }) => getPhoneMessage(input) }),
  ),
  z.string(),
  {
    decode: (typed) => `${typed.startsWith('+') ? '+' : '+1'}${typed.replace(/\D/g, '')}`,
    encode: (number) => number.replace(/^\+1(?=\d{10}$)/, ''),
  },
)
