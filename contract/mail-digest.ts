/** Whether notifications by mail are sent one by one, or together: at the full hour, or at 8:00 in the tenant's time zone. */
export const mailDigests = ['at once', 'hourly', 'daily'] as const
export type MailDigest = (typeof mailDigests)[number]
