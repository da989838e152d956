import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * The number in E.164 form, or undefined if no network could have issued it. Ten digits after +1 always pass: the rule
 * for North American numbers asks for ten digits and nothing else.
 */
export const parsePhoneNumber = (international: string) => {
  if (/^\+1\d{10}$/.test(international)) return international
  const number = parsePhoneNumberFromString(international)
  return number?.isValid() ? number.number : undefined
}
