import * as z from 'zod/mini'
import { textLike } from './text.ts'

export const phoneMessage = 'Please enter a valid 10-digit US phone number (e.g., (123) 456-7890 or 123-456-7890).'

const phonePattern = /^(\(\d{3}\) ?\d{3}-\d{4}|\d{3}-\d{3}-\d{4}|\d{10})$/

/** Typed in one of three ways, known as ten digits. */
export const PhoneNumber = z.codec(textLike(20, phonePattern, phoneMessage), z.string(), {
  decode: (value) => value.replace(/\D/g, ''),
  encode: (digits) => digits,
})
