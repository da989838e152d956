import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * The number in E.164 format, or undefined if no network could have issued it. Any ten digits after +1 pass: the rule for
 * North American numbers requires no more than that.
 */
export const parsePhoneNumber = (international: string) => {
  if (/^\+1\d{10}$/.test(international)) return international
  const number = parsePhoneNumberFromString(international)
  return number?.isValid() ? number.number : undefined
}
