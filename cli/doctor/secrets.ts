import type { Installation } from '#server/process/installation.ts'
import { inspectSealedValues } from '#server/process/sealed-columns.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const ROTATE = 'run npm run dishboard -- rotate-key'

/** Whether the keys decrypt every value that is stored encrypted. */
export const checkSecrets = async (installation: Installation): Promise<Finding[]> => {
  const { outdated, unreadable } = await inspectSealedValues(installation)
  const fix = 'add the key it was encrypted with to SECRET_KEY_PREVIOUS, or connect the vendor account again'
  if (unreadable.length > 0) return unreadable.map((name) => fail('secrets', `no key decrypts ${name}`, fix))
  return outdated > 0
    ? [warn('secrets', `${outdated} encrypted with a previous key, or before keys had ids`, ROTATE)]
    : [ok('secrets', 'everything encrypted is encrypted with SECRET_KEY')]
}
