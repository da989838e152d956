import { createTransport } from 'nodemailer'
import type { Config } from '#server/platform/config.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const TIMEOUT_MS = 5_000

/** Signs in to the mail server without sending anything. */
export const checkMail = async ({ smtpUrl, demo }: Config): Promise<Finding> => {
  const fix = 'set SMTP_URL=smtp://user:password@host:587'
  if (smtpUrl === undefined && demo) return warn('mail', 'SMTP_URL is not set: the demo shows its mail at /outbox', fix)
  if (smtpUrl === undefined)
    return fail('mail', 'SMTP_URL is not set: mail stays queued, and nobody can sign in with a mailed code', fix)
  const { host } = new URL(smtpUrl)
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
  const transport = createTransport({ url: smtpUrl, ...timeouts, dnsTimeout: TIMEOUT_MS })
  try {
    await transport.verify()
    return ok('mail', `signed in to ${host}`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const fix =
      code === 'EAUTH'
        ? 'correct the user and password in SMTP_URL'
        : 'check the host, the port and smtp:// or smtps:// in SMTP_URL, and the firewall'
    return fail('mail', `cannot send through ${host}: ${message}`, fix)
  } finally {
    transport.close()
  }
}
