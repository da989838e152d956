import * as z from 'zod/mini'
import { isTimeZone } from './format/times.ts'
import { text } from './text.ts'

const invalidZone = 'This is not the name of a time zone.'

/** The name of a time zone: America/Anchorage. */
export const TimeZone = text(60).check(z.refine(isTimeZone, invalidZone))

/** Not an offset such as -09:00, which has no daylight saving time. */
export const NamedTimeZone = TimeZone.check(z.regex(/^[A-Za-z]/, invalidZone))
