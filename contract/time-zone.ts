import * as z from 'zod/mini'
import { text } from './text.ts'

const isTimeZone = (name: string) => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The name of a time zone: America/Anchorage. */
export const TimeZone = text(60).check(z.refine(isTimeZone, 'This is not the name of a time zone.'))
