import * as z from 'zod/mini'
import { flag, moment } from './codecs.ts'
import { selectedTerminals } from './profile.ts'
import { QuietHours } from './quiet-hours.ts'
import { route } from './route.ts'

export const rehearsalDays = 30

const Rehearsed = z.object({
  at: moment,
  channel: z.enum(['email', 'sms']),
  subject: z.string(),
})

export const rehearsal = {
  run: route({
    method: 'POST',
    path: '/notification-rehearsal/',
    access: 'user',
    writes: false,
    summary: 'What settings would have sent the caller in the last 30 days; nothing is saved',
    maxBodyBytes: 1024 * 1024,
    input: z.strictObject({
      enableNotification: flag,
      enableSmsNotification: flag,
      statusChangeNotification: flag,
      dataUsageNotification: flag,
      warningNotification: flag,
      selectedTerminalList: selectedTerminals,
      ...QuietHours.shape,
    }),
    output: z.object({
      emails: z.number(),
      texts: z.number(),
      /** The newest ones, newest first. */
      messages: z.array(Rehearsed),
    }),
  }),
}
