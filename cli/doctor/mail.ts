import { createTransport } from 'nodemailer'
import type { Config } from '#server/platform/config.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const TIMEOUT_MS = 5_000

/** Signs in to the mail server and sends nothing. */
export const checkMail = async ({ smtpUrl, demo }: Config): Promise<Finding> => {
  const mend = 'set SMTP_URL=smtp://user:password@host:587'
  if (smtpUrl === undefined && demo)
    return warn('mail', 'SMTP_URL is not set: the demo shows its mail at /outbox', mend)
  if (smtpUrl === undefined)
    return fail('mail', 'SMTP_URL is not set: mail stays queued, and nobody signs in by code', mend)
  const { host } = new URL(smtpUrl)
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
  const transport = createTransport({ url: smtpUrl, ...timeouts, dnsTimeout: TIMEOUT_MS })
  try {
    await transport.verify()
    return ok('mail', `${host} accepts our mail`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const way =
      code === 'EAUTH'
        ? 'correct the user and password in SMTP_URL'
        : 'correct host, port and smtp:// or smtps:// in SMTP_URL, and let the firewall through'
    return fail('mail', `${host} cannot be used: ${message}`, way)
  } finally {
    transport.close()
  }
}
