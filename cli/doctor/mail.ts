import { createTransport } from 'nodemailer'
import { type Finding, fail, ok, warn } from './finding.ts'

const TIMEOUT_MS = 5_000

/** Signs in to the mail server and sends nothing. */
export const checkMail = async (smtpUrl: string | undefined): Promise<Finding> => {
  if (smtpUrl === undefined)
    return warn('mail', 'SMTP_URL is not set, so no mail leaves', 'set SMTP_URL=smtp://user:password@host:587')
  const { host } = new URL(smtpUrl)
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
  const transport = createTransport({ url: smtpUrl, ...timeouts, dnsTimeout: TIMEOUT_MS })
  try {
    await transport.verify()
    return ok('mail', `${host} accepts our mail`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const mend =
      code === 'EAUTH'
        ? 'correct the user and password in SMTP_URL'
        : 'correct host, port and smtp:// or smtps:// in SMTP_URL, and let the firewall through'
    return fail('mail', `${host} cannot be used: ${message}`, mend)
  } finally {
    transport.close()
  }
}
