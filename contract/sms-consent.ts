/** Must change with every change of the text: each recorded consent names the version that was agreed to. */
export const smsConsentVersion = '2026-11-19'

/** The text that a user agrees to. `support` says how to reach the tenant's support. */
export const writeSmsConsent = (company: string, support: string): string[] => [
  `If you agree, ${company} sends text messages about your terminals to the mobile number of your account.`,
  'Message and data rates may apply. How many messages you get depends on what you choose on your profile.',
  `You can opt out at any time: by phone or email to support (${support}), on your profile, or by replying STOP to any message. Reply HELP for help.`,
  'Your mobile number and your consent are not sold or shared with third parties.',
  'SMS messaging is optional: it is an addition to email notifications, and nothing else depends on it.',
]
