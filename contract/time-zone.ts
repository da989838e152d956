import * as z from 'zod/mini'
import { text } from './text.ts'

const isTimeZone = (name: string) => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const invalidZone = 'This is not the name of a time zone.'

/** The name of a time zone: America/Anchorage. */
export const TimeZone = text(60).check(z.refine(isTimeZone, invalidZone))

/** Not an offset such as -09:00, which has no summer time. */
export const NamedTimeZone = TimeZone.check(z.regex(/^[A-Za-z]/, invalidZone))
