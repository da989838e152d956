import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import {
  Email,
  emailMessage,
  isPasswordAllowed,
  NewPassword,
  newPasswordMessage,
  Otp,
  UserEmail,
} from './credentials.ts'
import { internationalPhoneMessage, PhoneNumber, phoneMessage } from './phone.ts'
import { isLineTextAllowed, isTableMetadataAllowed, lineText, lineTextMessage } from './service-lines.ts'
import { isDisabled } from './terminal-status.ts'
import { requiredLine, requiredText, text } from './text.ts'

const getMessage = (schema: z.ZodMiniType, value: unknown) => z.safeDecode(schema, value).error?.issues[0]?.message

describe('text', () => {
  it('refuses characters that cannot be stored: U+0000 and lone surrogates', () => {
    for (const value of ['a\u0000b', '\ud800', 'a\udc00']) expect(z.safeDecode(text(10), value).success).toBe(false)
    expect(z.decode(text(10), 'ġ🛰️')).toBe('ġ🛰️')
  })

  it('is bounded', () => {
    expect(getMessage(text(3), 'abcd')).toBe('Please enter at most 3 characters.')
  })

  it('must not be blank when it is required', () => {
    expect(getMessage(requiredText(10), ' \n ')).toBe('This field is required.')
    expect(z.decode(requiredText(10), ' a ')).toBe('a')
  })

  it.each(['\u200b', '\u00ad\u200d', '\u3164', '\u2800', '\u{e0041}'])(
    'that shows nothing, as %j, is blank',
    (value) => {
      expect(getMessage(requiredText(10), value)).toBe('This field is required.')
      expect(isLineTextAllowed(value)).toBe(false)
      expect(isTableMetadataAllowed(value)).toBe(false)
    },
  )

  it.each(['\u202e', '\u2066', '\u2028', '\u2029'])(
    'of one line does not contain %j, which changes the text after it',
    (value) => expect(z.safeDecode(requiredLine(50), `report${value}fdp.exe`).success).toBe(false),
  )

  it('may join letters, as names in Arabic and Persian do', () => {
    expect(z.decode(requiredLine(50), 'علی\u200cرضا')).toBe('علی\u200cرضا')
  })

  it('of one line has no line break, so that it cannot inject mail headers', () => {
    expect(z.safeDecode(requiredLine(50), 'a\r\nBcc: x@y.z').success).toBe(false)
  })
})

describe('email', () => {
  it.each(['', 'a', 'a@', '@b.c', 'a@b', 'a b@c.d', 'a@b c.d', 'a@b..c', 'a@@b.c', 'a@b.', 'a,b@c.d', 'a<b@c.d'])(
    '%j is refused',
    (value) => expect(getMessage(Email, value)).toBe(emailMessage),
  )

  // Zero width, reversed, soft hyphen, variation selector, blank letter, tag; other forms of letters; small letters that differ.
  it.each([
    'ad\u200bmin@a.example',
    'ad\u202emin@a.example',
    'adm\u00adin@a.example',
    'admin\ufe0f@a.example',
    'admin\u3164@a.example',
    'admin\u{e0041}@a.example',
    '\uff41dmin@a.example',
    'a\uff20b@a.example',
    '\u212aim@a.example',
    'jose\u0301@a.example',
    '\u0130smet@a.example',
    '\u039d\u0399\u039a\u039f\u03a3@a.example',
  ])('%j may not be given to a user, as it can be taken for another', (value) =>
    expect(z.safeDecode(UserEmail, value).success).toBe(false),
  )

  it.each(['Ada.O’Neil+x@a.example', 'josé@a.example', 'νίκος@παράδειγμα.example', 'иван@a.example'])(
    '%j may',
    (value) => expect(z.decode(UserEmail, value)).toBe(value),
  )

  it('is trimmed', () => {
    expect(z.decode(Email, '  admin@dishboard.example ')).toBe('admin@dishboard.example')
  })
})

describe('password', () => {
  it.each(['Admin-demo-1', 'aA1@aaaa', 'aA1_aaaa', 'aA1=aaaa'])('%s may be set', (value) =>
    expect(isPasswordAllowed(value)).toBe(true),
  )

  it.each([
    'aA1@aaa',
    'aaaa1@aa',
    'AAAA1@AA',
    'aaaaA@aa',
    'aaaaA1aa',
    'aA1@aaa ',
    'aA1@aaa#',
    'aA1@aaaġ',
    `aA1@${'a'.repeat(125)}`,
  ])('%s may not', (value) => {
    expect(isPasswordAllowed(value)).toBe(false)
    expect(z.safeDecode(NewPassword, value).success).toBe(false)
  })

  it('reports what is missing', () => {
    expect(getMessage(NewPassword, 'short')).toBe(newPasswordMessage)
  })
})

describe('the mailed code', () => {
  it('is six digits', () => {
    expect(z.decode(Otp, ' 012345 ')).toBe('012345')
    for (const value of ['12345', '1234567', '12345a', '']) expect(z.safeDecode(Otp, value).success).toBe(false)
  })
})

describe('phone number', () => {
  it.each(['(123) 456-7890', '123-456-7890', '1234567890'])('%s is a number of the +1 countries', (value) => {
    expect(z.decode(PhoneNumber, value)).toBe('+11234567890')
    expect(z.encode(PhoneNumber, '+11234567890')).toBe('1234567890')
  })

  it.each([
    ['+1 (123) 456-7890', '+11234567890', '1234567890'],
    ['+44 7911 123456', '+447911123456', '+447911123456'],
    [' +49 (1512) 345-6789 ', '+4915123456789', '+4915123456789'],
    ['+299.22.12.34', '+299221234', '+299221234'],
  ])('%s decodes to %s and encodes to %s', (value, decoded, wire) => {
    expect(z.decode(PhoneNumber, value)).toBe(decoded)
    expect(z.encode(PhoneNumber, decoded)).toBe(wire)
  })

  it.each(['123', '123.456.7890', '(123 456-7890', '12345678901', '447911123456', ''])('%j is refused', (value) =>
    expect(getMessage(PhoneNumber, value)).toBe(phoneMessage),
  )

  it.each(['+44', '+0447911123456', '+44 7911 12345a', '+12345678901234567', '+44   7911123456', ' ++447911123456'])(
    '%j is refused with the message for other countries',
    (value) => expect(getMessage(PhoneNumber, value)).toBe(internationalPhoneMessage),
  )
})

describe('names and metadata of a line', () => {
  it('accept letters of any script', () => {
    expect(isLineTextAllowed('Utqiaġvik_School - 2')).toBe(true)
    expect(isTableMetadataAllowed('Utqiaġvik School 2')).toBe(true)
  })

  it('accept underscores and dashes on the terminal page only', () => {
    expect(isTableMetadataAllowed('a_b')).toBe(false)
    expect(isTableMetadataAllowed('a-b')).toBe(false)
    expect(getMessage(lineText(60), 'a/b')).toBe(lineTextMessage)
  })

  it('are at most 60 characters long', () => {
    expect(isTableMetadataAllowed('a'.repeat(60))).toBe(true)
    expect(isTableMetadataAllowed('a'.repeat(61))).toBe(false)
    expect(z.safeDecode(lineText(60), 'a'.repeat(61)).success).toBe(false)
  })

  it('are trimmed, and empty is null', () => {
    expect(z.decode(lineText(60), '  a b ')).toBe('a b')
    for (const value of ['', '   ', null]) expect(z.decode(lineText(60), value)).toBeNull()
  })
})

it('disables a terminal with the alert "disabled" or one that begins with "disabled_"', () => {
  expect(isDisabled(['pop_change', 'disabled_no_active_account'])).toBe(true)
  expect(isDisabled(['disabled'])).toBe(true)
  expect(isDisabled(['pop_change', 'not_disabled', 'disabledness'])).toBe(false)
})

describe.each<[string, z.ZodMiniType]>([
  ['email', Email],
  ['password', NewPassword],
  ['phone number', PhoneNumber],
  ['name of a line', lineText(60)],
])('the rule of %s', (_name, schema) => {
  it.each(['a', '@', '.', 'a.', '(', ' '])('takes no exponential time for a long run of %j', (part) => {
    expect(z.safeDecode(schema, `a@${part.repeat(200_000)}!`).success).toBe(false)
  })
})
