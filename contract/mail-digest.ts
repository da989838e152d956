/** Whether notification mails are sent individually or batched: on the hour, or at 8:00 in the tenant's time zone. */
export const mailDigests = ['at once', 'hourly', 'daily'] as const
export type MailDigest = (typeof mailDigests)[number]
